"""The linter of lessons: what it finds is wrong with the teaching, not with the file."""
