"""What nodes, messages and values are called, on screen and in sentences."""
