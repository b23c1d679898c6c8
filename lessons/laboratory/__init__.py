"""What all labs have in common: what a lab is, how its runs are executed and kept, and how its answer is shown."""
