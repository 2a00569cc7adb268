// Package report says what a load run found: as tables, as JSON, and as one HTML page with its plots.
//
// # Model
//
//	figures.Set + visitors + server samples + plan -> Report -> Text, JSON, HTML
//
// A report first says whether it may be believed. It is void when the load machine was itself the bottleneck: then nothing below it is about
// the server. It has measured a queue when the queue share is above figures.QueueLimit: then latencies say how long the run
// was. Only then come the figures, and the gates that decide the exit code.
package report
