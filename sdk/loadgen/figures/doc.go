// Package figures turns what became of a load's actions into figures that do not flatter.
//
// # Model
//
// An action has five moments, all on one timeline:
//
//	due ---- sent ---- received ---- started ---- ended ---- done
//	  late      network      queued        service      network
//
// End-to-end time counts from the moment the action was due, not from when the generator got round to
// sending it: otherwise a server that stands still for two seconds delays all that
// is due meanwhile and is measured once (coordinated omission). Queue time is what the action waited: to be sent, and in the server before it
// was begun. Service time is what the server worked on it. What is left is the network.
//
// The queue share is all queue time over all end-to-end time of the actions that succeeded. Above QueueLimit a run has measured a queue and not
// a server: its latencies say how long the run was, and nothing else.
//
// Successes and failures are kept apart, since a server that refuses at once has wonderful latencies.
//
// # Merging
//
// A Set is made of histograms and counts, so that the sets of several load machines add up to exactly the set that one machine would have
// made of all their samples.
package figures
