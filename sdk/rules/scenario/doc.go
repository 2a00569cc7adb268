// Package scenario tests rules: it plays text files that say what is given, what happens, and what the rule does then,
// in a real region of a small venue, with the rule's module compiled and interpreted, and compares.
//
// # A file
//
//	# A comment: a line of its own.
//	given                                   for every scenario of the file
//	  kind lamp usable
//	  object lamp kind lamp at 4 1 4
//	  user ann at 4 1.6 4.5
//
//	scenario the first use switches on
//	when
//	  ann uses lamp
//	then
//	  1  ann use lamp -> set_state lamp 1
//	check
//	  state lamp 1
//
// Words at the margin begin a block, its lines are indented. A scenario begins with what is given (joined to the file's), then
// has any number of rounds of when, then and check. Every scenario starts from the beginning, in a region of its own.
//
// What stands under "then" is all that the rule commanded since "when", in order: the tick counted from there, what the command answers,
// an arrow, the command. Faults of the rule are lines among them, and so are requests that the host denied before any rule heard of
// them. Without "then" a round's commands are not compared; with an empty one there must be none. [File.Update] writes these lines anew.
//
// # Given
//
//	floor WIDTH DEPTH [HEIGHT]              metres, from (0, 0); default 20 20 4
//	rate N Hz                               ticks a second; default 30
//	window N ms                             of contested grabs; default 0: who asks first
//	kind NAME [grabbable] [usable]
//	object NAME kind KIND at X Y Z [state N]
//	zone NAME from X Z to X Z
//	door NAME at X Z [zone ZONE] [locked]
//	user NAME at X Y Z                      X Y Z is the head
//	setting NAME = VALUE                    of the rule: a number, "text", true or false
//	kinds KIND ...                          that the rule decides; default all
//	zones ZONE ...                          that it hears of; default all
//	key SCOPE [SUBJECT] KEY = VALUE         stored by the rule before: a number (8 bytes), "text" or hex:0a0b
//	rule PLUGIN [kinds KIND ...]            another rule, one of those that ship with the host
//
// # When
//
//	USER joins at X Y Z
//	USER leaves
//	USER grabs OBJECT [left|right] [at M m] [early MS ms]
//	USER releases OBJECT [left|right]
//	USER uses OBJECT [left|right] [at M m]
//	USER says TOPIC [PAYLOAD to the end of the line]
//	USER walks to X Y Z                     3 m/s, until there
//	USER reaches X Y Z [left|right]         puts a hand there
//	rule NAME signals TOPIC [PAYLOAD]       as another rule of the venue, in another region
//	wait N s | N ms | N ticks
//
// Lines together happen in one tick, in this order; walking and waiting take time. The last tick ends the block.
//
// # Check
//
//	state OBJECT N
//	holder OBJECT USER|nobody
//	at OBJECT|USER X Y Z                    within 5 cm
//	door DOOR PERMILLE
//	locked DOOR | unlocked DOOR
//	key SCOPE [SUBJECT] KEY = VALUE
//	no key SCOPE [SUBJECT] KEY
package scenario
