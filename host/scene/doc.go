// Package scene is a region of a venue: the one place that decides who is where, who holds
// what, and what its rules may do about it.
//
// # Model
//
// A [Region] is a pure state machine. Step takes a tick number and the inputs that arrived, and
// returns effects; there is no clock, no I/O, no goroutine inside. The same region, given
// the same inputs and rules that answer alike, gives the same effects to the byte, on every machine: what decides
// is integers on the venue's lattice.
//
//	inputs -> people   join, away, back, leave
//	       -> motion   newest pose of each; floors, displacement budget, arm's length
//	       -> requests reach, windows for contested grabs, order by (stamp, arrival, entity id)
//	       -> triggers enter and leave of zones, with hysteresis; timers that are due; signals of the tick before
//	       -> rules    one call each, in the venue's order, with everything that concerns it; all or nothing
//	       -> swaps    faults counted against new modules, which go again when they fail
//	       -> effects  entities that changed, numbered events, cursors, messages to other regions, log record
//
// Positions are venue lattice coordinates (1/1024 m, y up), times microseconds since the venue's tick 0:
// ServerTime(n) = n x TickUS.
//
// # State
//
// What must outlive the process is a fold over log records: each Step that changes some of it
// returns one [saved.Record], and Snapshot is the state they add up to. [Restore] of a snapshot and the records
// after it therefore gives the same Hash. Poses are not logged; a person's record
// holds where they were when something else about them last changed. Budgets, pose counters and what is known of failing
// rules are not kept either: a restart forgives.
//
// # Events
//
// Besides those of rules ("rule"), a region emits, with bodies as the client protocol has them: joined, left, grabbed,
// released, dropped, denied, state, door, teleport, score, correct, error, and ack for a use that was accepted. Two are for
// gateways more than for clients, both to one session with code, name and msg: replaced (the person joined under another
// session; this one has left) and refused (a Join or Back was not taken). A refusal is repeated for every resend.
//
// # Duties of the caller
//
//   - Step is called from one goroutine, with ticks that increase; they may skip.
//   - Inputs of a session come in the order its gateway sent them, stamps clamped by what the gateway measured. The region's own
//     clamp, 150 ms before the arrival, is only the last line.
//   - Effects are used up before the next Step. Log records and event bodies may be kept for ever, but not be changed.
//   - A record's events are durable only once the store has its saved.Record.
//   - IDBlock is new for every owner, or ids would be given out twice.
//   - Effects.Out is handed to the regions it is for, as inputs of kind InputRegion, and may be lost on the way: it comes again. Effects.Heard
//     is handed back as InputRegionAck once the tick is durable, not before: the other region then forgets what it said.
//   - What is in Effects.Retired is let go of; with the region, what Kept returns.
//
// # Rules and trust
//
// Rules are trusted with nothing: their commands are checked against their manifest, the kinds they decide, and the world, and a call
// with one bad command has no effect at all. A failing batch is bisected down to the event that fails, within a budget of
// calls a tick; its sender is refused. What there was no time for is refused too, but timers, which fire again. One person's events
// alone never bring a rule into quarantine: they are kept away from it instead, for ten seconds first and twice as long
// each time up to ten minutes; that the person has gone the rule hears all the same. Faults in three of a rule's ticks in a row
// that no one person explains bring quarantine, until the region restarts or another module takes the rule's place. A
// release by the holder is honoured whatever state the rule is in, so that nobody is stuck with an object. In quarantine, as the venue
// says, a rule's requests are denied, its objects stay where they are too, or another rule decides meanwhile.
//
// A signal that makes the rule that gets it fail is held against the person whose event the sender answered with it, in whichever region,
// or against the sender: after five of them its signals are kept away as a person's events are. A timer that makes its rule fail is held
// against the person whose event it was started with, but fires even while that person is kept away: others may count on it.
//
// # Modules that change
//
// SwapRule puts another module in a rule's place between two steps. When its state has another layout, the module's Migrate turns the real state into it, all or
// nothing, and the state of before is kept, also over restarts, until the new module has proved itself. See SwapRule for what brings the old one back.
//
// # Limits
//
// A rule's state is limited to abi.MaxState bytes a region (a key counts at least 64). What it keeps for people who left counts
// too, and goes first, the one longest gone before others, when room is needed. Load generators' visitors
// leave nothing behind.
//
// # Borders
//
// A person belongs to one region: it alone moves them, counts them in zones, and has its rules decide what they ask for. Whoever has been
// more than a metre beyond its border for a second, or is put there by a rule, is handed over to the region that they are in then: with what they hold, what rules keep
// for them and for that (keys and timers of scopes user and object), the place in their inputs, and what is held against them. Rules of the old
// region hear a leave, those of the new one a join, both with the other region's number + 1 in Aux; no event tells clients. People who have been within two metres for
// three seconds, one of whom holds something or spoke just now, go together or not at all. Whoever is away, or has asked for something that is not decided yet, stays until that is over.
//
// A hand-over is a message to the other region, in the log like all: with the record of its tick the people are this region's no longer. Until the driver says
// with an InputDurable that this record is in the store, they still follow their poses and are shown from here, but nothing they ask for is taken; then
// the message goes, with where they are by now, and Effects.Flights names them until the other region has them durably. The other one always takes them in, even above the limit of
// people, at its next step; one who joined there meanwhile as the same person is the newer visit and stays. It takes a message that it gets again (after losses, or a crash on
// either side) with the people away: if a client is still there, its gateway says so, with the newest place. So at any time exactly one log has them, and
// whatever they sent counts once, in order.
//
// What rules keep in another layout (schema) cannot be taken: the step says so in Effects.Refused, and the other region sends the people again until
// both run versions of one layout, for five seconds; then they come without it.
//
// Objects belong to the region that they lie in, or to that of who holds them. One that is found at rest in another region, when whole seconds begin, is handed over as
// people are. The region that the manifest puts it into remembers that it is lent, and does not make it anew. What lies in another region is
// unknown to people of this one: a grab, release or use of it is denied as such, until they are handed over. Zones and doors never cross a border, so a door opens for
// people of its own region only.
//
// Rules reach other regions by messages: signals to a rule there, events for everybody in the venue. Each arrives once and in order, whatever is lost, and
// whoever crashes. Keys of the venue are the first region's: elsewhere they are reached by signals.
//
// # Manifests that change
//
// Logs and snapshots name floors, zones, objects, doors and rules as the manifest does, so that its lists may be written in another order
// before the next start. What the manifest no longer has is removed, with the keys and timers that belonged to it;
// requests that waited for it are denied.
package scene
