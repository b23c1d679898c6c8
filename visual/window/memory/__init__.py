"""What is kept from one start of the program to the next, in the folders that the system has for such files."""
