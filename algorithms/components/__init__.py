"""Processes that live inside others: protocols that several algorithms share."""
