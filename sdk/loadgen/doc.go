// Package loadgen sends headless visitors into a venue, over the protocol that every
// client speaks, and measures what they get.
//
// # Model
//
// Each visitor is a client of package sdk/go and a small state machine that its pose function
// drives: it walks between rooms (through their doors), looks around,
// gestures, goes to an object that nobody holds, grabs it, carries it elsewhere and lets go; now and
// then its connection is cut without a word, and it resumes. All it decides comes
// from the run's seed and its own number, so two runs with one seed ask for the same
// behaviour; what the network and the venue make of it differs.
//
//	Run -> visitor 1..N: client + walker + behaviour -> histograms, counts
//	                   \-> observer: every event and holder that anyone saw
//	Run <- Report, merged
//
// # What is measured
//
// The age of a pose is the server's time when a frame arrives minus the time at which the shown
// sample was taken (its tick's time minus the sample's age), by the visitor's estimate of the server's
// clock, whose error is below half of its shortest round trip. The update interval is the time between two
// updates of the same person at the same visitor. Both leave out persons whose connection is
// away.
//
// # Duties of the caller
//
// Visitors share the machine with each other: when it is saturated, ages measure
// the machine and not the venue. Leave it a quarter of its processors.
package loadgen
