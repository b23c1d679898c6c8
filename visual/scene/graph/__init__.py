"""The graph of a run as shapes: nodes, links, messages in transit, legend."""
