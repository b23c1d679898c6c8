"""Invariants that several algorithms have."""


def form_no_cycle(pointers):
    """Whether following these pointers, from process to process, always comes to an end."""
    for node in pointers:
        for _ in (*pointers, None):
            node = pointers.get(node)
        if node is not None:
            return False
    return True


def nobody_twice_in_a_queue(processes):
    """Whether no queue has a process twice."""
    return all(len(set(process.queue)) == len(process.queue) for process in processes)
