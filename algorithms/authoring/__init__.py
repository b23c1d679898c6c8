"""Guards against the mistakes of an algorithm's author: loads and checks the file, and explains its failures."""
