// Package rulebook knows which module each rule of a venue runs, region by region: the one that the venue's file names, or one that was
// uploaded.
//
// # Model
//
//	Upload   --> inspected --> store: module by digest, version of a name
//	Activate --> store: assignment --> order to each region over the bus --> its node asks Module for an instance
//	region   --> Swapped: it went back by itself --> store: assignment
//	start    --> Rules: instances of what is assigned, or else of what the file names
//
// A module is uploaded under a name and stays in the store by its digest; nothing runs it until it is activated for a rule of the venue, in some
// regions or all. What is assigned is written before a region is told, so that a restart in between runs what was asked for, and
// taken back when the region does not take it. When a region goes back by itself, because the new module failed, what is
// assigned follows, so that a restart does not run the faulty one again.
//
// # When a module cannot be had
//
// A module that is missing from the store, damaged, or does not start any more is replaced, at the start of a region, by the one that the venue's file
// names. Problems tells of it, and so do the log and a metric, until another is activated. When the file's cannot read the state that the lost one
// left, nothing decides for the rule until the module was uploaded and activated again; when it does not start at all, neither does the region.
//
// # Trust
//
// Who may upload and activate is decided here: an admin may do everything, a rule key what the configuration lets it (see Caller). What a module may do
// is bounded by package rules, by [[rule]] allow and class of the venue's file, and by what ran before: a version that wants more
// commands, views or a larger class than the one it takes over from needs an admin's approval. Signatures are over a module's
// digest: see SignedText.
//
// # Duties of the caller
//
// Methods may be called from any goroutine. Changes are made one at a time; Swapped never waits for them. Close ends
// the book after its regions and before its engine.
package rulebook
