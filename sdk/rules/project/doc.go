// Package project makes, reads and builds the folders in which designers write rules.
//
// # Model
//
// A project is a folder with a file [FileName] in it that says in which language the rule is written and where its parts
// are. [New] makes one that builds as it is: it has the kit of its language in it, copied from the program, so that
// building fetches nothing. [Builder] runs the language's compiler and packs module and manifest into one file.
//
//	venued-rule.toml   name, language, where things are
//	manifest.json      what the rule hears and may do
//	main.go ...        the rule
//	kit/               the sources of the kit
//	tests/             scenario files (package scenario)
//
// # Trust
//
// Building runs the compilers of the machine on the files of the project, with all that these may do. Build only what you
// would compile by hand.
package project
