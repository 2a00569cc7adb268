// Package plan says what load to put on a venue, and when: how many visitors are there at each
// moment, how long they think between two actions, which actions these are, and which figures
// decide whether the venue held.
//
// # Model
//
//	Curve  users over time, linear between its points, clamped outside
//	Dist   a think time: a distribution above zero
//	Plan   curve, think time, mix of actions and behaviours, limits, gates; Validate says all that is wrong
//	Due    the arrival process: the moments at which actions are due
//
// A plan is an open loop: N(t) users who think Z on average act at a rate of N(t)/Z a second
// (Little's law with the response time left out), whatever the venue answers. The moments are a Poisson process of that
// rate, so that nothing marches in step, drawn from the plan's seed: the same plan has the same moments
// on every machine. Visitors, who are there and move, and actions, which are due, are two
// processes; neither waits for the other.
//
// # Units
//
// Times are offsets from the start of the run. Rates are per second. Users are people, fractions of one
// included: a curve that passes through 0.5 has somebody there half of the time.
package plan
