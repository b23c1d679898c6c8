"""The space-time diagram of a run as shapes."""
