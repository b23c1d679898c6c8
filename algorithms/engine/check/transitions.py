"""The states of a small system of processes, and the moves from one to another.

A state consists of the processes, the channels and the timers, without clocks and serial numbers. Two simplifications
change nothing that a process can observe: a message to a crashed process disappears at once, and on a FIFO channel only
the first message is lost or duplicated (losing a later one equals losing it when it has become the first). Messages to
oneself have their own channel since, as in a run, something else may happen before they arrive.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import product
from math import inf
from typing import Any, cast

from algorithms.engine.check.election_history import ElectionEvent, ElectionHistory, after_crash, after_events
from algorithms.engine.check.encoding import (
    DIGIT_BITS,
    DIGIT_MASK,
    ELECTIONS_OFFSET,
    FAULTS_OFFSET,
    ChannelContents,
    Numbering,
    Removal,
    State,
    channel_offset,
    process_offset,
)
from algorithms.engine.check.moves import (
    CRASHED_NUMBER,
    SPONTANEOUS,
    Bounds,
    Channel,
    CrashedState,
    Cut,
    Effect,
    FailedState,
    LocalMove,
    LocalMoves,
    Move,
    Successors,
    Transition,
    fault_of,
    joint_effect,
)
from algorithms.engine.check.process_steps import (
    Envelope,
    LocalState,
    NotExplorable,
    StepResult,
    StepRunner,
    freeze_variables,
)
from algorithms.engine.dispatch import messages_of, with_parameters
from algorithms.engine.process import Algorithm, Message, Process
from algorithms.engine.scenario import Scenario
from algorithms.engine.topology import neighbours

ProcessState = LocalState | FailedState | CrashedState
Continuation = Callable[[ElectionHistory, Any, Mapping[int, int | None]], ElectionHistory]


class TransitionSystem:
    """The states and moves of a scenario's processes within `bounds`.

    The scenario's load and delays have no influence. A state has for each process the number of requests of `tracked`
    processes that happened before, which ME3 is about.
    """

    def __init__(self, scenario: Scenario, algorithm: Algorithm, bounds: Bounds, tracked: Sequence[int] = ()) -> None:
        algorithm = algorithm.of(scenario.variant)
        process = with_parameters(algorithm.process, scenario.parameters)
        self.nodes = scenario.nodes
        self.bounds = bounds
        self.is_fifo = scenario.network.fifo
        self._allowed = bounds.allowed()
        faults = [fault for fault, allowed in self._allowed.items() if allowed != 0]
        self._has_faults = any(fault != "fire" for fault in faults)
        self._has_losses = bool(bounds.crashes or bounds.cuts)  # of what is sent to the crashed, or on a cut link
        kinds = ("drop", "duplicate")
        self._faults_of_messages = {do: [fault for fault in self._allowed if fault.split()[0] == do] for do in kinds}
        self._faults_of_channels = [fault for fault in faults if fault.split()[0] in ("crash", "reset", "cut")]
        self.tracked = tracked
        self._token = algorithm.token
        self._election = algorithm.is_election()
        self._is_told_of_crashes = process.unreached is not Process.unreached
        self._calls = messages_of(algorithm, "ask")
        self._announcements = messages_of(algorithm, "announce")
        links = neighbours(scenario.nodes, scenario.links(algorithm.topology))
        self._runner = StepRunner(process, links, algorithm.token, bounds.synchronous, tracked)

        # the values that the digits of a state stand for, see `encoding`
        self._faults: Numbering[tuple[str, ...]] = Numbering(())
        self._histories: Numbering[ElectionHistory] = Numbering(ElectionHistory())
        self._process_states: Numbering[ProcessState] = Numbering(CrashedState())
        self._offsets = [process_offset(node) for node in range(self.nodes)]
        self.channels: list[Channel] = []  # those in use, in the order of their digits
        self._channel_between: dict[tuple[int, int], Channel] = {}
        self._contents = ChannelContents(self.is_fifo)
        self._envelopes: Numbering[Envelope] = Numbering()

        # caches, for all states
        self._failed_numbers: set[int] = set()  # of the `FailedState`s
        self._local_moves = [cache(partial(self._new_local_moves, node)) for node in range(self.nodes)]
        self._arrivals: dict[tuple[int, int, int], tuple[LocalMove, ...]] = {}  # channel, message, receiver's state
        self.new_arrivals: list[tuple[Channel, int, int]] = []  # those computed since somebody has emptied the list
        self._deliveries_on: list[tuple[int, Channel, dict[int, list[LocalMove]]]] = []  # by contents and receiver
        self._continued: dict[tuple[Continuation, Any, int, tuple[int, ...]], int] = {}  # election histories
        self._cuts_of = cache(self._new_cuts_of)
        self._cost_after = cache(self._new_cost_after)
        self._message_move = cache(self._new_message_move)

    # ---- the moves -----------------------------------------------------------------------------------------

    def initial(self) -> Iterator[State]:
        """The states after all processes have launched; several if that draws random numbers."""
        if self.bounds.crashes and self._is_told_of_crashes:
            raise NotExplorable("it is told who has crashed, as nobody is here; without crashes it can be")
        launches = []
        for node in range(self.nodes):
            results = self._runner.launch(node, self.bounds.requests_of(node))
            launches.append([self._effect(Move("launch", node), CRASHED_NUMBER, result) for result in results])
        for effects in product(*launches):
            yield self.after(0, joint_effect(effects))

    def after_moves(self, moves: Iterable[Move]) -> Iterable[State]:
        """The states to which the moves lead from the initial ones; several if random numbers are drawn, or none."""
        states = dict.fromkeys(self.initial())
        for move in moves:
            states = dict.fromkeys(after for state in states for after in self.by_move(state, move))
        return states

    def by_move(self, state: State, move: Move) -> list[State]:
        """The states to which a move leads; the same state if its message was lost with the receiver."""
        if move.envelope is not None and state >> self._offsets[move.node] & DIGIT_MASK == CRASHED_NUMBER:
            return [state]
        steps, requests, faults, _ = self.successors(state)
        return [after for made, after in (*steps, *requests, *faults) if _is_same(made, move)]

    def successors(self, state: State) -> Successors:
        """All transitions from a state, always in the same order."""
        if self.is_stopped(state):
            return Successors([], [], [], is_cut_short=True)
        local = self._all_local_moves(state)
        steps = self._deliveries(state)
        delay = min([moves.delay for moves in local])
        is_patient = delay > 0 and bool(steps)  # no time passes while a message is in transit
        steps += self._transitions(state, [exit for moves in local for exit in moves.exits])
        cost = self._cost_of(state, "fire") if delay < inf else 0
        if delay < inf and not is_patient and cost is not None:
            steps += [(move, after + cost) for move, after in self._timeouts(state, delay)]
        requests = self._transitions(state, [request for moves in local for request in moves.requests])
        faults = self._fault_moves(state, local) if self._has_faults else []
        return Successors(steps, requests, faults, is_cut_short=cost is None)

    # ---- the steps of one process ----------------------------------------------------------------------------

    def arrival(self, channel: Channel, message: int, number: int) -> tuple[LocalMove, ...]:
        """The arrival of a message at a process in the state of that number."""
        cache_key = (channel.offset, message, number)
        arrival = self._arrivals.get(cache_key)
        if arrival is None:
            state = cast(LocalState, self._process_states[number])  # nothing is in transit to a process that is down
            results = self._runner.deliver(channel.receiver, state, self._envelopes[message], channel.sender)
            arrival = self._moves(self._message_move("deliver", channel, message), number, results)
            self._arrivals[cache_key] = arrival
            self.new_arrivals.append((channel, message, number))
        return arrival

    def arrivals_on(self, channel: Channel, contents: int, number: int) -> Iterator[tuple[int, LocalMove]]:
        """The messages that may arrive next on a channel with these contents, each with all that its arrival does."""
        for message, rest in self._contents.removals(contents):
            removal = (rest - contents) << channel.offset
            for move, effect in self.arrival(channel, message, number):
                yield message, (move, Effect(effect.difference + removal, effect.sent, effect.events))

    def local_steps(self, node: int, number: int) -> tuple[LocalMove, ...]:
        """The exits, timeouts and requests of the process in the state of that number."""
        moves = self._local_moves[node](number)
        return (*moves.exits, *moves.timeouts, *moves.requests)

    def number_after(self, node: int, number: int, effect: Effect) -> int:
        """The number of the process's state after its step, which leaves the channels to it as they are."""
        return number + (effect.difference >> self._offsets[node])

    def is_failed(self, number: int) -> bool:
        """Whether the number is that of a process whose step has failed."""
        return number in self._failed_numbers

    def count_tokens(self, messages: Iterable[int]) -> int:
        """The number of tokens among messages."""
        return sum(type(self._envelopes[number].message) is self._token for number in messages)

    # ---- parts of a state's moves --------------------------------------------------------------------------

    def is_stopped(self, state: State) -> bool:
        """Whether a step has failed, after which nothing is explored."""
        return bool(self._failed_numbers) and not self._failed_numbers.isdisjoint(self.process_numbers(state))

    def after(self, state: State, effect: Effect) -> State:
        """The state after a step with that effect."""
        difference, sent, events = effect
        state += difference
        for channel, message in sent:
            if self._has_losses and self._is_lost(state, channel):
                continue
            offset = channel.offset
            contents = state >> offset & DIGIT_MASK
            state += (self._contents.with_message(contents, message) - contents) << offset
        return self._with_elections(state, after_events, events) if events else state

    def may_lose_channels(self, state: State) -> bool:
        """Whether a fault may take away all messages on a channel: a crash, a reset or a cut."""
        return any(self._cost_of(state, fault) is not None for fault in self._faults_of_channels)

    def faults_on(self, state: State, channel: Channel) -> list[Transition]:
        """The faults of the messages on one channel."""
        return self._faults_of_messages_on(state, [channel]) if self._has_faults else []

    # ---- reading a state -----------------------------------------------------------------------------------

    def process_numbers(self, state: State) -> tuple[int, ...]:
        """The numbers of the processes' states."""
        return tuple([state >> offset & DIGIT_MASK for offset in self._offsets])

    def elections_number(self, state: State) -> int:
        """The number of the elections so far."""
        return state >> ELECTIONS_OFFSET & DIGIT_MASK

    def process_state(self, number: int) -> ProcessState:
        """The state of a process by its number."""
        return self._process_states[number]

    def process(self, node: int, state: LocalState) -> Any:
        """The process in that state, to be read only."""
        return self._runner.process(node, state)

    def beliefs(self, numbers: tuple[int, ...]) -> dict[int, int | None]:
        """The leader that each process believes in, for processes that are up."""
        states = ((node, self._process_states[number]) for node, number in enumerate(numbers))
        return {node: state.belief for node, state in states if isinstance(state, LocalState)}

    def elections(self, state: State) -> ElectionHistory:
        """The elections so far."""
        return self._histories[self.elections_number(state)]

    def messages(self, state: State) -> dict[tuple[int, int], list[Message]]:
        """The messages in transit, by sender and receiver."""
        in_transit = {}
        for channel in self.channels:
            if row := self._contents.messages(state >> channel.offset & DIGIT_MASK):
                messages = [self._envelopes[number].message for number in row]
                in_transit[channel.sender, channel.receiver] = messages
        return in_transit

    def faults(self, state: State) -> tuple[str, ...]:
        """The faults so far, in alphabetical order."""
        return self._faults[state >> FAULTS_OFFSET & DIGIT_MASK]

    def timers(self, state: State) -> Iterator[tuple[int, str]]:
        """The timers that are running, each with its node."""
        for node, number in enumerate(self.process_numbers(state)):
            process = self._process_states[number]
            if isinstance(process, LocalState):
                yield from ((node, timer) for timer, _ in process.timers)

    def with_earlier_timers(self, state: State) -> State:
        """The state with half the time left for each timer."""
        numbers = zip(self.process_numbers(state), self._offsets, strict=True)
        return state + sum((self._number_with(number, lambda left: left / 2) - number) << at for number, at in numbers)

    def matches(
        self, state: State, variables: list[dict[str, Any]], messages: dict[tuple[int, int], list[Message]]
    ) -> bool:
        """Whether the processes have these variables in that state, and these messages are in transit."""
        states = map(self.process_state, self.process_numbers(state))
        ours = [process.variables for process in states if isinstance(process, LocalState)]
        return ours == [freeze_variables(theirs) for theirs in variables] and self.messages(state) == messages

    def tokens_in_transit(self, state: State) -> int:
        """The number of tokens on the channels."""
        if self._token is None:
            return 0
        rows = [self._contents.messages(state >> channel.offset & DIGIT_MASK) for channel in self.channels]
        return sum(type(self._envelopes[number].message) is self._token for row in rows for number in row)

    # ---- within: what a process may do ---------------------------------------------------------------------

    def _all_local_moves(self, state: State) -> list[LocalMoves]:
        return [
            moves(state >> offset & DIGIT_MASK) for moves, offset in zip(self._local_moves, self._offsets, strict=True)
        ]

    def _new_local_moves(self, node: int, number: int) -> LocalMoves:
        """The moves of the process in the state of that number."""
        runner, state = self._runner, self._process_states[number]
        if not isinstance(state, LocalState):
            return LocalMoves()
        can_ask = state.requests_left and not runner.process(node, state).busy()
        timeouts: list[LocalMove] = []
        for timer in (timer for timer, left in state.timers if left == 0):
            timeouts += self._moves(Move("fire", node, timer=timer), number, runner.fire(node, state, timer))
        resets = runner.forget(node, state) if self.bounds.resets else ()
        return LocalMoves(
            exits=self._moves(Move("exit", node), number, runner.exit(node, state) if state.pending_exits else ()),
            timeouts=tuple(timeouts),
            delay=min((left for _, left in state.timers), default=inf),
            requests=self._moves(Move("request", node), number, runner.request(node, state) if can_ask else ()),
            resets=self._moves(Move("reset", node), number, resets),
        )

    def _deliveries(self, state: State) -> list[Transition]:
        """The arrivals of messages in transit."""
        moves: list[LocalMove] = []
        for offset, channel, known in self._deliveries_on:
            contents = state >> offset & DIGIT_MASK
            if contents:
                number = state >> channel.receiver_offset & DIGIT_MASK
                cache_key = contents << DIGIT_BITS | number
                arrivals = known.get(cache_key)
                if arrivals is None:
                    arrivals = known[cache_key] = [move for _, move in self.arrivals_on(channel, contents, number)]
                moves += arrivals
        return self._transitions(state, moves)

    def _moves(self, move: Move, number: int, results: Iterable[StepResult]) -> tuple[LocalMove, ...]:
        """A move for each result of a step."""
        return tuple(
            (move._replace(draws=result.draws) if result.draws else move, self._effect(move, number, result))
            for result in results
        )

    def _effect(self, move: Move, number: int, result: StepResult) -> Effect:
        """The effect of a step that a process takes in the state of that number."""
        if result.error is None:
            after = self._process_states.number(result.state)
        else:
            after = self._process_states.number(FailedState(result.error))
            self._failed_numbers.add(after)
        node = move.node
        sent = tuple(
            (self._channel(node, receiver), self._envelopes.number(envelope)) for receiver, envelope in result.sent
        )
        events = self._election_events(move, number, result) if self._election else ()
        return Effect((after - number) << self._offsets[node], sent, events)

    def _election_events(self, move: Move, number: int, result: StepResult) -> tuple[ElectionEvent, ...]:
        """The contribution of the step, in the state of that number, to elections."""
        sent = {type(envelope.message) for receiver, envelope in result.sent if receiver != move.node}
        is_spontaneous = move.do in SPONTANEOUS
        is_call = is_spontaneous and not sent.isdisjoint(self._calls)
        before = self._process_states[number]
        is_leader = isinstance(before, LocalState) and before.belief == move.node  # it only reminds the others
        announces = not is_leader and not sent.isdisjoint(self._announcements)
        is_opening = is_spontaneous and (result.has_learnt or announces)
        event = ElectionEvent(move.node, is_call, is_opening, result.has_learnt, has_forgotten=move.do == "reset")
        return (event,) if any(event[1:]) else ()

    def _timeouts(self, state: State, delay: float) -> list[Transition]:
        """The timers that expire next, after `delay` has passed for all of them."""
        if delay:
            numbers = zip(self.process_numbers(state), self._offsets, strict=True)
            state += sum(
                (self._number_with(number, lambda left: round(left - delay, 9)) - number) << at
                for number, at in numbers
            )
        return self._transitions(state, [move for moves in self._all_local_moves(state) for move in moves.timeouts])

    def _number_with(self, number: int, change: Callable[[float], float]) -> int:
        """The number of a process's state with the time left for its timers changed."""
        state = self._process_states[number]
        if not isinstance(state, LocalState):
            return number
        timers = tuple((timer, change(left)) for timer, left in state.timers)
        return self._process_states.number(state._replace(timers=timers))

    # ---- within: faults ------------------------------------------------------------------------------------

    def _fault_moves(self, state: State, local: list[LocalMoves]) -> list[Transition]:
        faults: list[Transition] = []
        if self._allowed["crash"]:
            faults += self._counted("crash", state, self._crashes(state))
        faults += self._faults_of_messages_on(state, self.channels)
        for cut in self.bounds.cuts:
            faults += self._counted(cut.fault, state, [self._cutting(cut, state)])
        if self._allowed["reset"]:
            resets = self._transitions(state, [reset for moves in local for reset in moves.resets])
            faults += self._counted("reset", state, resets)
        return faults

    def _crashes(self, state: State) -> list[Transition]:
        nodes = enumerate(self._offsets)
        up = [(node, offset) for node, offset in nodes if state >> offset & DIGIT_MASK != CRASHED_NUMBER]
        return [(Move("crash", node), self._without(state, node, offset)) for node, offset in up]

    def _without(self, state: State, node: int, offset: int) -> State:
        """The state after a process has crashed, and with it the messages to it."""
        incoming = (channel.offset for channel in self.channels if channel.receiver == node)
        state -= sum((state >> digit & DIGIT_MASK) << digit for digit in (offset, *incoming))
        return self._with_elections(state, after_crash, node) if self._election else state

    def _faults_of_messages_on(self, state: State, channels: Iterable[Channel]) -> list[Transition]:
        losses = self._message_faults("drop", state, channels, lambda removal: removal.rest)
        return losses + self._message_faults("duplicate", state, channels, self._contents.with_duplicate)

    def _message_faults(
        self, do: str, state: State, channels: Iterable[Channel], contents_after: Callable[[Removal], int]
    ) -> list[Transition]:
        """The losses or duplicates that the bounds still allow; kinds that they name are counted apart."""
        costs = {fault: self._cost_of(state, fault) for fault in self._faults_of_messages[do]}
        if all(cost is None for cost in costs.values()):
            return []
        faults: list[Transition] = []
        for channel, contents, removal in self._vulnerable(state, channels):
            own = fault_of(do, type(self._envelopes[removal.message].message).__name__) if len(costs) > 1 else do
            cost = costs[own if own in costs else do]
            if cost is not None:
                after = state + ((contents_after(removal) - contents) << channel.offset) + cost
                faults.append((self._message_move(do, channel, removal.message), after))
        return faults

    def _cutting(self, cut: Cut, state: State) -> Transition:
        """The cut of a link, with the loss of the messages on it."""
        channels = filter(None, map(self._channel_between.get, cut.directions()))
        state -= sum((state >> channel.offset & DIGIT_MASK) << channel.offset for channel in channels)
        return Move("cut" if cut.both else "cut-way", cut.receiver, cut.sender), state

    def _is_cut(self, state: State, channel: Channel) -> bool:
        """Whether the channel has been cut."""
        return not self._cuts_of(channel.sender, channel.receiver).isdisjoint(self.faults(state))

    def _new_cuts_of(self, sender: int, receiver: int) -> frozenset[str]:
        """The faults that cut a directed link."""
        return frozenset(cut.fault for cut in self.bounds.cuts if (sender, receiver) in cut.directions())

    def _vulnerable(self, state: State, channels: Iterable[Channel]) -> Iterator[tuple[Channel, int, Removal]]:
        """The messages on these channels that may be lost or duplicated, with channel and contents."""
        for channel in channels:
            contents = state >> channel.offset & DIGIT_MASK
            if channel.sender != channel.receiver:
                for removal in self._contents.removals(contents):
                    yield channel, contents, removal

    def _new_message_move(self, do: str, channel: Channel, message: int) -> Move:
        return Move(do, channel.receiver, channel.sender, self._envelopes[message])

    def _counted(self, do: str, state: State, transitions: list[Transition]) -> list[Transition]:
        """The transitions with the fault counted; none if the bounds are exhausted."""
        cost = self._cost_of(state, do)
        return [] if cost is None else [(move, after + cost) for move, after in transitions]

    def _cost_of(self, state: State, do: str) -> int | None:
        """The change to a state that counts one more such move; None if the bounds forbid it."""
        return self._cost_after(state >> FAULTS_OFFSET & DIGIT_MASK, do)

    def _new_cost_after(self, number: int, do: str) -> int | None:
        """The same, for all states in which the faults of that number have happened."""
        allowed = self._allowed[do]
        if allowed is None:
            return 0
        faults = self._faults[number]
        if faults.count(do) >= allowed:
            return None
        return (self._faults.number(tuple(sorted((*faults, do)))) - number) << FAULTS_OFFSET

    # ---- within: the state after a move --------------------------------------------------------------------

    def _transitions(self, state: State, moves: Iterable[LocalMove]) -> list[Transition]:
        return [(move, self.after(state, effect)) for move, effect in moves]

    def _is_lost(self, state: State, channel: Channel) -> bool:
        """Whether a message sent now is lost at once: the channel has been cut, or the receiver has crashed."""
        return self._is_cut(state, channel) or state >> channel.receiver_offset & DIGIT_MASK == CRASHED_NUMBER

    def _with_elections(self, state: State, continuation: Continuation, what: Any) -> State:
        """The state with its election history continued."""
        number = state >> ELECTIONS_OFFSET & DIGIT_MASK
        cache_key = (continuation, what, number, self.process_numbers(state))
        after = self._continued.get(cache_key)
        if after is None:
            history = continuation(self._histories[number], what, self.beliefs(cache_key[3]))
            after = self._continued[cache_key] = self._histories.number(history)
        return state + ((after - number) << ELECTIONS_OFFSET)

    def _channel(self, sender: int, receiver: int) -> Channel:
        channel = self._channel_between.get((sender, receiver))
        if channel is None:
            offset = channel_offset(self.nodes, len(self.channels))
            channel = Channel(sender, receiver, offset, self._offsets[receiver])
            self._channel_between[sender, receiver] = channel
            self.channels.append(channel)
            self._deliveries_on.append((offset, channel, {}))
        return channel


def _is_same(made: Move, wanted: Move) -> bool:
    """Whether a move is the wanted one, which may leave the random numbers open and has no clocks."""
    messages = [move.envelope and move.envelope.message for move in (made, wanted)]
    is_drawn_so = wanted.draws in ((), made.draws)
    return made[:3] == wanted[:3] and made.timer == wanted.timer and messages[0] == messages[1] and is_drawn_so
