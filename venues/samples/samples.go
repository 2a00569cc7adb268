// Package samples holds venue manifests that show what a venue can have. They are read by tests
// and by people; the commented one is venue.example.toml at the root of the project.
package samples

import _ "embed"

// Gallery has two floors and rules in several languages: grab and door (Rust),
// bell (C), greeter (Go) and score (AssemblyScript).
//
//go:embed gallery.toml
var Gallery []byte

// Divided is one floor in three regions: "ground-0" (west), "ground-10" and "ground-11" (east,
// on both sides of z = 2 m), with objects on the borders.
//
//go:embed divided.toml
var Divided []byte

// Plaza is one room with something for each of the other shipped rules: seat, teleporter, pen, queue, score
// with scoreboard, and lift.
//
//go:embed plaza.toml
var Plaza []byte
