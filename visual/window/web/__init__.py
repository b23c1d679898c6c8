"""Runs in a web page: the same pictures and words, recorded."""
