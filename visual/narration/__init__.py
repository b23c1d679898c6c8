"""What is told of a run, in sentences."""
