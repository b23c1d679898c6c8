"""All that can happen to a small system of processes: its states, and the moves from one to another.

A state is what the processes, the channels and the timers are, without clocks and serial numbers. Two things are
left out because no process can tell: a message to a crashed process is gone at once, and on a FIFO channel only the
foremost message is lost or duplicated (losing a later one is losing it when its turn has come). Messages to oneself
have a channel of their own, since in a run, too, something else may come first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, partial
from itertools import product
from math import inf
from typing import Any, cast

from algorithms.engine.check.election_history import News, Story, told, without
from algorithms.engine.check.encoding import BITS, MASK, Contents, Numbering, State, Taken
from algorithms.engine.check.moves import (
    GONE,
    OF_ONES_OWN_ACCORD,
    Bounds,
    Change,
    Channel,
    Failed,
    Gone,
    Move,
    Moves,
    Own,
    Possible,
    Successors,
    together,
)
from algorithms.engine.check.process_steps import Letter, Local, NotExplorable, Outcome, Workbench, frozen
from algorithms.engine.dispatch import messages_of, with_parameters
from algorithms.engine.process import Algorithm, Message, Process
from algorithms.engine.scenario import Scenario
from algorithms.engine.topology import neighbours

Tell = Callable[[Story, Any, Mapping[int, int | None]], Story]


class Interleavings:
    """The states and moves of a scenario's processes within `bounds`, whatever its load and its delays.

    `histories`: keep in a state who had heard of whose requests, which is what ME3 is about.
    """

    def __init__(self, scenario: Scenario, algorithm: Algorithm, bounds: Bounds, histories: bool = False) -> None:
        algorithm = algorithm.of(scenario.variant)
        process = with_parameters(algorithm.process, scenario.parameters)
        self.nodes = scenario.nodes
        self.bounds = bounds
        self._allowed = bounds.allowed()
        self._nothing_heard = (0,) * self.nodes if histories else ()
        self._token = algorithm.token
        self._election = algorithm.is_election()
        self._is_told_of_crashes = process.unreached is not Process.unreached
        self._asks = messages_of(algorithm, "ask")
        self._announces = messages_of(algorithm, "announce")
        links = neighbours(scenario.nodes, scenario.links(algorithm.topology))
        self._bench = Workbench(process, links, algorithm.token, timed=bounds.synchronous)

        # what the digits of a state stand for: faults spent, story, processes, and channels as they come into use
        self._spent: Numbering[tuple[str, ...]] = Numbering(())  # at place 0
        self._stories: Numbering[Story] = Numbering(Story())  # at place BITS
        self._locals: Numbering[Local | Failed | Gone] = Numbering(Gone())
        self._places = [BITS * (2 + node) for node in range(self.nodes)]
        self._seen_mask = (1 << BITS * (1 + self.nodes)) - 1  # the story and the processes
        self.channels: list[Channel] = []  # those on which anything was ever sent
        self._between: dict[tuple[int, int], Channel] = {}  # the same by sender and receiver
        self._contents = Contents(scenario.network.fifo)
        self._letters: Numbering[Letter] = Numbering()

        # what has been worked out, once for all states
        self._failed: set[int] = set()  # the numbers of the states of processes whose step has failed
        self._own = [cache(partial(self._new_own, node)) for node in range(self.nodes)]
        self._known_arrivals: dict[tuple[int, int, int], tuple[Possible, ...]] = {}  # channel, letter, receiver's state
        self._continued: dict[tuple[Tell, Any, int, tuple[int, ...]], int] = {}  # stories
        self._message_move = cache(self._new_message_move)

    # ---- the moves -----------------------------------------------------------------------------------------

    def initial(self) -> Iterator[State]:
        """The states in which a run may be when all processes have launched; more than one if that rolls dice."""
        if self.bounds.crashes and self._is_told_of_crashes:
            raise NotExplorable("it is told who has crashed, as nobody is here; without crashes it can be")
        launches = []
        for node in range(self.nodes):
            outcomes = self._bench.launch(node, self.bounds.requests, self._nothing_heard)
            launches.append([self._change(Move("launch", node), GONE, outcome) for outcome in outcomes])
        for changes in product(*launches):
            yield self._after(0, together(changes))

    def successors(self, state: State) -> Successors:
        """All moves from a state, in an order that is always the same."""
        if self._failed and not self._failed.isdisjoint(self.numbers(state)):
            return Successors([], [], [], cut_short=True)
        own = self._all_own(state)
        steps = self._arrivals(state)
        pause = min(each.pause for each in own)
        patient = pause > 0 and bool(steps)  # no time passes while a message is on its way
        steps += self._results(state, [possible for each in own for possible in each.exits])
        spend = self._spend(state, "fire")
        if pause < inf and not patient and spend is not None:
            steps += [(move, after + spend) for move, after in self._fires(state, pause)]
        demands = self._results(state, [possible for each in own for possible in each.requests])
        return Successors(steps, demands, self._faults(state, own), cut_short=pause < inf and spend is None)

    # ---- looking at a state --------------------------------------------------------------------------------

    def numbers(self, state: State) -> tuple[int, ...]:
        """The numbers of the processes' states."""
        return tuple([state >> place & MASK for place in self._places])

    def seen_part(self, state: State) -> int:
        """The digits of the processes and of the story, which is all that properties look at, tokens aside."""
        return state >> BITS & self._seen_mask

    def local(self, number: int) -> Local | Failed | Gone:
        """The state of a process by its number."""
        return self._locals[number]

    def view(self, node: int, local: Local) -> Any:
        """The process in that state, to be looked at."""
        return self._bench.view(node, local)

    def beliefs(self, numbers: tuple[int, ...]) -> dict[int, int | None]:
        """Whom each process that is up takes for the leader."""
        found = ((node, self._locals[number]) for node, number in enumerate(numbers))
        return {node: local.belief for node, local in found if isinstance(local, Local)}

    def story(self, state: State) -> Story:
        """The elections so far."""
        return self._stories[state >> BITS & MASK]

    def messages(self, state: State) -> dict[tuple[int, int], list[Message]]:
        """What is on the way, by sender and receiver."""
        rows = ((channel, self._contents.letters(state >> channel.place & MASK)) for channel in self.channels)
        return {
            (channel.sender, channel.receiver): [self._letters[n].message for n in row] for channel, row in rows if row
        }

    def spent(self, state: State) -> tuple[str, ...]:
        """The faults so far, in alphabetical order."""
        return self._spent[state & MASK]

    def shows(
        self, state: State, variables: list[dict[str, Any]], messages: dict[tuple[int, int], list[Message]]
    ) -> bool:
        """Whether in that state the processes have these variables, and these messages are on the way."""
        found = [local.variables for local in map(self.local, self.numbers(state)) if isinstance(local, Local)]
        return found == [frozen(own) for own in variables] and self.messages(state) == messages

    def tokens_on_the_way(self, state: State) -> int:
        """How many tokens are on the channels."""
        if self._token is None:
            return 0
        rows = [self._contents.letters(state >> channel.place & MASK) for channel in self.channels]
        return sum(type(self._letters[letter].message) is self._token for row in rows for letter in row)

    # ---- within: what a process may do ---------------------------------------------------------------------

    def _all_own(self, state: State) -> list[Own]:
        return [own(state >> place & MASK) for own, place in zip(self._own, self._places, strict=True)]

    def _new_own(self, node: int, number: int) -> Own:
        """What the process may do in the state of that number."""
        bench, local = self._bench, self._locals[number]
        if not isinstance(local, Local):
            return Own()
        asks = local.requests and not bench.view(node, local).busy()
        fires: list[Possible] = []
        for timer in (timer for timer, left in local.timers if left == 0):
            fires += self._possible(Move("fire", node, timer=timer), number, bench.fire(node, local, timer))
        resets = bench.forget(node, local) if self.bounds.resets else ()
        return Own(
            exits=self._possible(Move("exit", node), number, bench.exit(node, local) if local.exits else ()),
            fires=tuple(fires),
            pause=min((left for _, left in local.timers), default=inf),
            requests=self._possible(Move("request", node), number, bench.request(node, local) if asks else ()),
            resets=self._possible(Move("reset", node), number, resets),
        )

    def _arrivals(self, state: State) -> Moves:
        """What the messages on their way can do."""
        found: Moves = []
        for channel in self.channels:
            contents = state >> channel.place & MASK
            if contents:
                number = state >> channel.receiver_place & MASK
                for letter, rest in self._contents.next_ones(contents):
                    before = state + ((rest - contents) << channel.place)
                    found += self._results(before, self._arrival(channel, letter, number))
        return found

    def _arrival(self, channel: Channel, letter: int, number: int) -> tuple[Possible, ...]:
        """What comes of a letter at a process in the state of that number."""
        key = (channel.place, letter, number)
        arrival = self._known_arrivals.get(key)
        if arrival is None:
            local = cast(Local, self._locals[number])  # nothing is on its way to a process that is gone
            outcomes = self._bench.deliver(channel.receiver, local, self._letters[letter], channel.sender)
            arrival = self._possible(self._message_move("deliver", channel, letter), number, outcomes)
            self._known_arrivals[key] = arrival
        return arrival

    def _possible(self, move: Move, number: int, outcomes: Iterable[Outcome]) -> tuple[Possible, ...]:
        return tuple(
            (move._replace(draws=outcome.draws) if outcome.draws else move, self._change(move, number, outcome))
            for outcome in outcomes
        )

    def _change(self, move: Move, number: int, outcome: Outcome) -> Change:
        if outcome.error is None:
            after = self._locals.number(outcome.local)
        else:
            after = self._locals.number(Failed(outcome.error))
            self._failed.add(after)
        node = move.node
        sent = tuple((self._channel(node, receiver), self._letters.number(letter)) for receiver, letter in outcome.sent)
        news = self._news(move, outcome) if self._election else ()
        return Change((after - number) << self._places[node], sent, news)

    def _news(self, move: Move, outcome: Outcome) -> tuple[News, ...]:
        """What the step means for elections."""
        sent = {type(letter.message) for receiver, letter in outcome.sent if receiver != move.node}
        willing = move.do in OF_ONES_OWN_ACCORD
        calls = willing and not sent.isdisjoint(self._asks)
        opens = willing and (outcome.learnt or not sent.isdisjoint(self._announces))
        news = News(move.node, calls, opens, outcome.learnt, forgot=move.do == "reset")
        return (news,) if any(news[1:]) else ()

    def _fires(self, state: State, pause: float) -> Moves:
        """The timers that run out next, when `pause` has passed for all of them."""
        if pause:
            numbers = zip(self.numbers(state), self._places, strict=True)
            state += sum((self._later(number, pause) - number) << place for number, place in numbers)
        return self._results(state, [possible for each in self._all_own(state) for possible in each.fires])

    def _later(self, number: int, pause: float) -> int:
        """The number of a process's state when its timers have run for that long."""
        local = self._locals[number]
        if not isinstance(local, Local):
            return number
        timers = tuple((timer, round(left - pause, 9)) for timer, left in local.timers)
        return self._locals.number(local._replace(timers=timers))

    # ---- within: faults ------------------------------------------------------------------------------------

    def _faults(self, state: State, own: list[Own]) -> Moves:
        found: Moves = []
        if self._allowed["crash"]:
            found += self._spent_on("crash", state, self._crashes(state))
        if self._allowed["drop"]:
            found += self._spent_on("drop", state, self._drops(state))
        if self._allowed["duplicate"]:
            found += self._spent_on("duplicate", state, self._duplicates(state))
        if self._allowed["reset"]:
            resets = self._results(state, [possible for each in own for possible in each.resets])
            found += self._spent_on("reset", state, resets)
        return found

    def _crashes(self, state: State) -> Moves:
        alive = [(node, place) for node, place in enumerate(self._places) if state >> place & MASK != GONE]
        return [(Move("crash", node), self._without(state, node, place)) for node, place in alive]

    def _without(self, state: State, node: int, place: int) -> State:
        lost = (channel.place for channel in self.channels if channel.receiver == node)
        state -= sum((state >> digits & MASK) << digits for digits in (place, *lost))
        return self._with_story(state, without, node) if self._election else state

    def _drops(self, state: State) -> Moves:
        return [
            (self._message_move("drop", channel, taken.letter), state + ((taken.rest - contents) << channel.place))
            for channel, contents, taken in self._losable(state)
        ]

    def _duplicates(self, state: State) -> Moves:
        return [
            (
                self._message_move("duplicate", channel, taken.letter),
                state + ((self._contents.doubled(taken) - contents) << channel.place),
            )
            for channel, contents, taken in self._losable(state)
        ]

    def _losable(self, state: State) -> Iterator[tuple[Channel, int, Taken]]:
        """The messages that a fault may befall, each with its channel and the contents of that."""
        for channel in self.channels:
            contents = state >> channel.place & MASK
            if channel.sender != channel.receiver:
                for taken in self._contents.next_ones(contents):
                    yield channel, contents, taken

    def _new_message_move(self, do: str, channel: Channel, letter: int) -> Move:
        return Move(do, channel.receiver, channel.sender, self._letters[letter])

    def _spent_on(self, do: str, state: State, moves: Moves) -> Moves:
        spend = self._spend(state, do)
        return [] if spend is None else [(move, after + spend) for move, after in moves]

    def _spend(self, state: State, do: str) -> int | None:
        """What one more such move makes of the number of what is spent, as a difference; None if it is too much."""
        allowed = self._allowed[do]
        if allowed is None:
            return 0
        number = state & MASK
        spent = self._spent[number]
        return self._spent.number(tuple(sorted((*spent, do)))) - number if spent.count(do) < allowed else None

    # ---- within: what becomes of a state -------------------------------------------------------------------

    def _results(self, state: State, possible: Iterable[Possible]) -> Moves:
        return [(move, self._after(state, change)) for move, change in possible]

    def _after(self, state: State, change: Change) -> State:
        state += change.difference
        for channel, letter in change.sent:
            if state >> channel.receiver_place & MASK != GONE:
                contents = state >> channel.place & MASK
                state += (self._contents.with_letter(contents, letter) - contents) << channel.place
        return self._with_story(state, told, change.news) if change.news else state

    def _with_story(self, state: State, tell: Tell, what: Any) -> State:
        """The state with its story continued by `tell`."""
        number = state >> BITS & MASK
        key = (tell, what, number, self.numbers(state))
        after = self._continued.get(key)
        if after is None:
            story = tell(self._stories[number], what, self.beliefs(key[3]))
            after = self._continued[key] = self._stories.number(story)
        return state + ((after - number) << BITS)

    def _channel(self, sender: int, receiver: int) -> Channel:
        channel = self._between.get((sender, receiver))
        if channel is None:
            place = BITS * (2 + self.nodes + len(self.channels))
            channel = Channel(sender, receiver, place, self._places[receiver])
            self._between[sender, receiver] = channel
            self.channels.append(channel)
        return channel
