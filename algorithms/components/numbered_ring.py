"""A ring of processes with numbers, for elections won by the largest number."""

from algorithms.engine.process import ElectionProcess, Message, Parameter


def is_a_numbering(ids, nodes):
    """Whether every process has a number, or none has one; equal numbers break an assumption."""
    return not ids or (all(isinstance(i, int) for i in ids) and len(ids) == nodes)


IDS = Parameter((), "the number of each process (default: its position on the ring)", fits=is_a_numbering)


class NumberedRing(ElectionProcess):
    ids = IDS

    def setup(self):
        self.number = self.ids[self.id] if self.ids else self.id  # its number; the largest one wins
        self.next = (self.id + 1) % self.size  # its successor on the ring
        self.previous = (self.id - 1) % self.size  # its predecessor on the ring

    def place_of(self, number):
        """The process that has a number."""
        return self.ids.index(number) if self.ids else number


class Elected(Message):
    number: int  # the number of the leader


class Announced(ElectionProcess):
    """An election on a numbered ring whose leader sends its number all the way round."""

    def on_elected(self, elected, sender):
        if elected.number == self.number:
            pass  # its announcement is back and goes no further
        else:
            self.finish(self.place_of(elected.number))
            self.send(elected, to=self.next)  # it passes the announcement on

    def finish(self, leader):
        """Accept the leader, and take no further part."""
        self.role = "over"
        self.elect(leader)


def greatest_leads(processes):
    """Whether every known leader is the process with the largest number of all."""
    greatest = max(processes, key=lambda process: process.number).id
    return all(process.leader in (None, greatest) for process in processes)
