package sim

import "github.com/venued/venued/scheduler/migration"

// Plant is a fault that the simulator must find: a check of the machines left out, or a flaw of the driver around them. The zero
// value is none.
type Plant struct {
	Name   string
	What   string // a sentence
	Guards migration.Guards
	Flaw   flaw
}

// flaw is a fault of a driver.
type flaw uint8

const (
	_                flaw = iota
	flawNoFreeze          // a source ticks on after it was stopped
	flawIgnoreFence       // an owner that the store refuses goes on
	flawDurableEarly      // what is not stored is called durable
	flawSnapshotOnly      // recovery reads no log
	flawTickAgain         // a target goes on at a tick that was there already
	flawSameBlock         // a target goes on with the source's ids
)

// Planted lists the faults.
var Planted = []Plant{
	{"thaw", "a stopped source goes on without a new epoch", migration.GuardTakeBack, 0},
	{"no-freeze", "a source ticks on after FINAL", 0, flawNoFreeze},
}

// PlantNamed returns a planted fault by its name.
func PlantNamed(name string) (Plant, bool) {
	for _, p := range Planted {
		if p.Name == name {
			return p, true
		}
	}
	return Plant{}, false
}
