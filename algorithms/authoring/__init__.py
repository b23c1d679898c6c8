"""Guards against the mistakes of an algorithm's author."""
