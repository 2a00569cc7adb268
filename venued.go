// Package venued holds what the whole project ships with: the example venue.
//
// venued hosts places that many people share in virtual and mixed reality. The program is cmd/venued.
package venued

import _ "embed"

// ExampleName is the file name of the example configuration, looked for in the
// working folder when no other is given.
const ExampleName = "venue.example.toml"

// Example is the example configuration: what the program serves when there is no
// file of that name.
//
//go:embed venue.example.toml
var Example []byte
