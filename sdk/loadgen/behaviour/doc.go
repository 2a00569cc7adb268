// Package behaviour makes the visitors of a load run: how each moves, 30 times a second, and what it does when.
//
// # Model
//
//	Cast     the behaviours of a plan, read and checked against the venue; deals visitors to behaviours by share
//	Visitor  one of them: Pose at a time, Next thing it does and when that is due
//	Script   what a small text file says, line by line
//	Replay   what people did in a recording, or in a file of poses; each copy at a phase and a rotation of its own
//	Model    a state machine with measured transition probabilities and dwell times; Fit measures one
//
// A visitor is a pure function of the plan's seed and its number: the same plan has the same visitors on every machine that draws
// the same floating point numbers. It knows no clock and no connection; who drives it (package live) owns both.
//
// # Duties of the caller
//
// A Visitor belongs to one goroutine. Times are since the visitor came, and ascend from call to call. The venue has the last
// word on where a visitor is: call Placed with the place of the welcome and of every correction and teleport. The visitor goes on from there
// and makes its way back to where it meant to be, on foot.
//
// # Frame
//
// Places are in venue coordinates, metres, y up. A heading of 0 looks along -z.
package behaviour
