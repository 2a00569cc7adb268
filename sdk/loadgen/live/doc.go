// Package live carries a load plan out in real time: it says when an action is to be sent and keeps the books; what an action is, is the
// caller's.
//
//	plan.Arrivals -> due -> in flight (bounded) -> Do -> figures.Set
//	Run.Own       ->      \-> held: sent late, or never
//
// Own is for actions that are due by something else than the plan's arrivals, as by a visitor's script.
//
// # Open and closed
//
// The open loop sends an action when it is due, whatever came back, and its latency counts from that moment: a server that stands still for two
// seconds is two seconds slow to all who came meanwhile. The closed loop has one user for each that the curve has, who waits for
// the answer, thinks, and acts again; it is there to be compared with.
//
// # Beside it
//
// Sampler reads a server's metrics over the run, and Usage says what this process used, so that a report can tell whether the
// server or the load machine was the bottleneck.
package live
