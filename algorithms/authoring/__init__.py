"""Guards against the mistakes of an algorithm's author: reading the file, checking it, telling where it fails."""
