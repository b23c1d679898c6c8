"""What is worked out of a run for those who look at it: books kept along it, reasons, histories, what a node knows.

It reads timelines; nothing here knows the window, and nothing moves a run for good.
"""
