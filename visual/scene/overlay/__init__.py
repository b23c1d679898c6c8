"""Runs on an overlay, drawn on its circle of identifiers: keys and replicas, routes, paths, votes, queues."""
