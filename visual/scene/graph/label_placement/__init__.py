"""Where the labels of messages in transit go, so that each can be read."""
