"""The pages of the column at the right, one file each."""
