"""Tasks in which the learner acts: being a node, scheduling the messages."""
