"""Processes that are made to live inside others: what several algorithms need, written once."""
