--------------------------- MODULE RicartAgrawala ---------------------------
(* Ricart & Agrawala's algorithm, with one request of each process: the system that                       *)
(* `mutoscope check ricart-agrawala --every-state` explores, without what Mutoscope remembers for ME3.    *)
(* Run: java -cp tla2tools.jar tlc2.TLC -deadlock RicartAgrawala     (final states are no deadlocks here) *)
EXTENDS Naturals, Sequences
CONSTANT N
VARIABLES phase, clock, stamp, awaiting, deferred, channel

Nodes == 0 .. N - 1
None == <<0, 0>>
Older(a, b) == a[1] < b[1] \/ (a[1] = b[1] /\ a[2] < b[2])
Max(a, b) == IF a > b THEN a ELSE b
Sent(message, p, receivers) == [q \in Nodes |-> IF q \in receivers THEN Append(channel[p][q], message) ELSE channel[p][q]]

Init ==
    /\ phase = [p \in Nodes |-> "idle"]
    /\ clock = [p \in Nodes |-> 0]
    /\ stamp = [p \in Nodes |-> None]
    /\ awaiting = [p \in Nodes |-> {}]
    /\ deferred = [p \in Nodes |-> {}]
    /\ channel = [p \in Nodes |-> [q \in Nodes |-> <<>>]]

Request(p) ==
    /\ phase[p] = "idle"
    /\ phase' = [phase EXCEPT ![p] = "waiting"]
    /\ clock' = [clock EXCEPT ![p] = @ + 1]
    /\ stamp' = [stamp EXCEPT ![p] = <<clock[p] + 1, p>>]
    /\ awaiting' = [awaiting EXCEPT ![p] = Nodes \ {p}]
    /\ channel' = [channel EXCEPT ![p] = Sent(<<"request", <<clock[p] + 1, p>>>>, p, Nodes \ {p})]
    /\ UNCHANGED deferred

ReceiveRequest(p, q) ==
    LET theirs == Head(channel[q][p])[2]
        defers == stamp[p] # None /\ Older(stamp[p], theirs)
        received == [channel EXCEPT ![q][p] = Tail(@)]
    IN  /\ Head(channel[q][p])[1] = "request"
        /\ clock' = [clock EXCEPT ![p] = Max(@, theirs[1])]
        /\ deferred' = IF defers THEN [deferred EXCEPT ![p] = @ \cup {q}] ELSE deferred
        /\ channel' = IF defers THEN received ELSE [received EXCEPT ![p][q] = Append(@, <<"reply">>)]
        /\ UNCHANGED <<phase, stamp, awaiting>>

ReceiveReply(p, q) ==
    /\ Head(channel[q][p])[1] = "reply"
    /\ awaiting' = [awaiting EXCEPT ![p] = @ \ {q}]
    /\ phase' = IF awaiting[p] = {q} THEN [phase EXCEPT ![p] = "inside"] ELSE phase
    /\ channel' = [channel EXCEPT ![q][p] = Tail(@)]
    /\ UNCHANGED <<clock, stamp, deferred>>

Exit(p) ==
    /\ phase[p] = "inside"
    /\ phase' = [phase EXCEPT ![p] = "done"]
    /\ stamp' = [stamp EXCEPT ![p] = None]
    /\ deferred' = [deferred EXCEPT ![p] = {}]
    /\ channel' = [channel EXCEPT ![p] = Sent(<<"reply">>, p, deferred[p])]
    /\ UNCHANGED <<clock, awaiting>>

Next == \E p \in Nodes :
    \/ Request(p)
    \/ Exit(p)
    \/ \E q \in Nodes : channel[q][p] # <<>> /\ (ReceiveRequest(p, q) \/ ReceiveReply(p, q))

Spec == Init /\ [][Next]_<<phase, clock, stamp, awaiting, deferred, channel>>

OneInside == \A p, q \in Nodes : phase[p] = "inside" /\ phase[q] = "inside" => p = q
=============================================================================
