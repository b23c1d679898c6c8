"""What resources are called where there are several."""

from __future__ import annotations


def of_resource(resource: int, several: bool) -> str:
    """Which of several resources a sentence is about; nothing where there is only one."""
    return f" (resource {resource_name(resource)})" if several else ""


def resource_name(resource: int) -> str:
    """0 -> "A", 25 -> "Z", 26 -> "AA"."""
    before, last = divmod(resource, 26)
    return (resource_name(before - 1) if before else "") + chr(ord("A") + last)
