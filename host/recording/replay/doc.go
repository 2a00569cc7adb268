// Package replay plays a recording again: the region, from its state at the recording's start, with the inputs of every tick.
//
// # Model
//
//	header  -> scene.Revive -> region
//	frame   -> Step(tick, inputs) -> effects, compared with the recorded ones
//	a rule  -> a seat: the module that decides, or the answers it gave at the time
//	         + modules that are only asked, each with a state of its own
//
// A seat with the recorded answers needs no module, so a recording can be played wherever it came from, and what happens in it is what
// happened. A module that decides is held against the recorded answers: with the same digest every answer, every write and all
// effects are the same, to the bit. A module that is only asked meets every question as it was put at the time; its answers change
// nothing but its own state, so that a difference at one decision does not make differences of all later ones.
//
// # What can differ all the same
//
//   - Names: where they were masked in a text, anything of the same length counts as equal (see package recording). A rule that decides by
//     the letters of a name decides otherwise.
//   - A guest that keeps something in its memory from call to call, against the contract, begins without it.
//   - Calls that a clock ended (kind "timeout", and "budget" behind one in the same tick) are taken as recorded.
//   - Timers that only an asked module starts do not fire for it.
package replay
