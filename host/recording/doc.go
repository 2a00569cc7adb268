// Package recording keeps what a region was given and what came of it, tick by tick, in a file (.vrec) that the region can be played
// again from, bit for bit, elsewhere and later: to find out why something was decided, to try another version of a rule against real
// people's play, to make load that moves like them.
//
// # Model
//
//	region's goroutine --Begin, Call, End--> frames --bounded queue--> writer: pseudonyms, chunks, file
//
//	file = header (venue, rules, the region's state) + chunks (frames of up to two seconds) + end
//
// A [Recorder] stands beside a region between two steps and follows it; a [Reader] reads a file from the front. What a file means is
// the business of package replay; docs/recordings.md has every byte of it.
//
// # Names
//
// People's ids and display names are not in a recording: whoever is in the region is u1, u2 and so on, and display names become made-up
// ones of the same length and shape, also where a rule repeats them. Since that changes nothing that the host computes with, and
// for a rule nothing but letters, the region plays on with the made-up names as it did with the real ones. What was replaced in a text that a rule
// made is marked there ([Text]), and is not compared. What is not hidden: what clients say to rules (topics and payloads of messages),
// names that rules wrote into their state of people who had left before the recording began, and, in that state, names that are
// words as rules write them.
//
// # Duties of the caller
//
//   - Begin, Call, Migrate, Swap and End come from the region's goroutine, in the order of what they tell of.
//   - Recording never waits: when the writer cannot follow, the recording ends and says so.
//
// # Trust
//
// A Reader takes any bytes: what it allocates is bounded by the limits below, whatever the file claims.
package recording

// Limits of a file.
const (
	Version    = 1        // of the format
	MaxHeader  = 64 << 20 // bytes of the header, decompressed
	MaxChunk   = 16 << 20 // bytes of a chunk, decompressed
	MaxWritten = 4 << 30  // bytes of a file that limits may allow
	chunkSize  = 1 << 20  // a chunk is written once it has so many bytes, or chunkTicks frames
	chunkTicks = 60
)
