// Package crowd sends the visitors of a load plan into a running venue, over the protocol that every client speaks, and has them do what
// is due.
//
// # Model
//
//	plan.Visitors  -> come and go -> visitor: client of sdk/go + behaviour, a pose 30 times a second
//	live.Run       -> due actions -> whoever can do it best -> request, answer, or failure
//	behaviour.Next -> own actions -> that visitor              /
//	Run <- figures.Set, figures.Visitors
//
// Visitors are there and move; actions are due. Neither waits for the other: an action is carried out by somebody who can, as a grab by
// somebody who stands before something free. So that there is somebody, visitors who move by a model spend most of their time where something is to be done:
// before the things that can be taken or used, and beside the zones that actions step into. The others go where
// their script or recording says. An action that nobody can do at that moment is counted as skipped.
//
// # What is measured
//
// The server says in its acknowledgements when the gateway had an input, and when the tick that took it began and ended. Waiting for the
// next tick is how such a server works and no queue: only what an input waited beyond the boundary of that tick counts as queue time. A contested
// grab waits for the venue's window besides, which counts as end-to-end time only. Joins, resumes, doors and teleports by
// stepping into a zone are not acknowledged: of them there is the end-to-end time alone.
//
// # Isolation
//
// Tokens must have the load mark, so that what these visitors write goes to a partition of its own: tokens without it are refused.
package crowd
