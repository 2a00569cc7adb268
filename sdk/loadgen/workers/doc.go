// Package workers spreads a load run over several machines.
//
// # Model
//
//	coordinator                         worker (an http.Handler), one a machine
//	  POST /v1/prepare  Job        ->   reads plan and behaviours, asks the venue about itself
//	                    <- Ready        or says what is wrong, before anybody starts
//	  POST /v1/run      Start      ->   begins at once
//	                    <- Update ...   one a second, and at the end one with the figures
//
// The coordinator splits the plan (plan.Split), prepares all workers, and begins when all are ready. Histograms have the same
// buckets everywhere and are counts, so that what workers report merges exactly: as if one machine had counted.
//
// A worker that goes away, or is silent for Silence, is lost: its figures are missing, and the run says so. A coordinator that goes away
// ends its workers' runs.
//
// # Trust limits
//
// Both sides know a secret, sent with every request. It is not encrypted: use a private network or a tunnel. Messages have bounds, and what
// a worker reports is checked before it is merged, but a worker that lies about its figures is believed.
package workers
