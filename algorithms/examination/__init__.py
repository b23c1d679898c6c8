"""What must hold of every algorithm, tried on the file of a person's own."""
