"""A class whose phones are the nodes of a run, or vote on a lesson's questions."""
