"""Files between two starts of the program, in the system's folders for them."""
