"""The types of overlay messages' fields, by which a picture knows how to write them.

Beside its fields a message may have `asks`: the name of the field with the ticket that it requests a vote for.
"""

from typing import NewType

Ticket = NewType("Ticket", tuple)
"""One attempt of one client: a number, the client, and the number of the attempt."""

Replica = NewType("Replica", int)
"""One of the replicas that vote, by its number."""

Resource = NewType("Resource", int)
"""One of the resources, by its number."""
