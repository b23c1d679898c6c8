"""Runs in a web page: the same pictures and words, recorded; and the window itself, live."""
