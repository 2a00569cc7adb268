// Package venues reads venue manifests, checks them, and compiles them into the
// geometry that the host computes with: everything on the lattice, everything by index.
//
// # Model
//
//	TOML -- strict.Open, Decode --> Manifest -- Compile --> Venue -- Describe --> public JSON
//
// A [Manifest] is what a designer writes, in metres and names. A [Venue] is what a host uses, in lattice
// steps and indices; it never changes and is shared by everything that serves it.
// Reading gives either a venue that is right in all that can be checked here,
// or [Problems]: everything that is wrong, each with its line.
//
// # Regions
//
// The floor's rectangle is cut in two, the parts again, always at whole metres; the
// leaves of this tree are the regions. Every point of a floor lies in exactly one: a rectangle has its
// minimum and not its maximum. Zones and doors lie in one region each.
//
// # Duties and limits
//
// Whoever compiles a manifest does not change it afterwards. That a plugin is there is
// checked; that it is a good one, is not: rules do that when they load it. Of the file system only
// the existence of named .wasm files is looked at.
package venues

import (
	"github.com/venued/venued/abi"
	"github.com/venued/venued/lattice"
)

// Rect is a rectangle in x and z, in lattice steps: Min included, Max excluded.
type Rect struct{ MinX, MinZ, MaxX, MaxZ int32 }

// Contains reports whether p lies in the rectangle, whatever its height.
func (r Rect) Contains(p lattice.Vec) bool {
	return p.X >= r.MinX && p.X < r.MaxX && p.Z >= r.MinZ && p.Z < r.MaxZ
}

// Grown returns the rectangle with a margin around it (negative: shrunk).
func (r Rect) Grown(m int32) Rect { return Rect{r.MinX - m, r.MinZ - m, r.MaxX + m, r.MaxZ + m} }

// Venue is a compiled manifest: immutable, shared by everything that serves it.
// Indices are positions in its slices.
type Venue struct {
	ID, Name     string
	TickHz       int
	UploadHz     int
	SendHz       int
	Cell         int32 // lattice steps
	GrabWindowUS int64
	Limits       CompiledLimits
	Interest     CompiledInterest
	Floors       []FloorGeom
	Rooms        []RoomGeom
	Spawns       []SpawnGeom
	Kinds        []Kind // defaults filled in
	Objects      []ObjectGeom
	Zones        []ZoneGeom
	Doors        []DoorGeom
	Rules        []CompiledRule
	Regions      []Region // leaves, by floor, then in-order
	Manifest     *Manifest
}

// TickUS is the length of a tick, microseconds (1e6/TickHz, rounded down).
func (v *Venue) TickUS() int64 { return int64(1_000_000 / v.TickHz) }

// CompiledLimits is Limits on the lattice and in ticks.
type CompiledLimits struct {
	Users        int
	SpeedPerTick int64 // steps a tick
	Burst        int64 // steps
	HandReach    int64 // steps
	GrabReach    int64 // steps
	EventsPerS   float64
	RuleCallMS   int
	GraceTicks   uint64
}

// CompiledInterest is Interest and the portals by index.
type CompiledInterest struct {
	Near       int
	Presenters []int    // zones whose visitors present
	Portals    [][2]int // rooms that see each other; none: all do
}

// FloorGeom is a compiled floor.
type FloorGeom struct {
	Name       string
	Rect       Rect
	MinY, MaxY int32
}

// RoomGeom is a compiled room.
type RoomGeom struct {
	Name  string
	Floor int
	Rect  Rect
}

// SpawnGeom is a compiled spawn point; At is on the ground.
type SpawnGeom struct {
	Name   string
	Floor  int
	At     lattice.Vec
	Radius int32
	Rot    lattice.Rot
}

// ObjectGeom is a compiled object.
type ObjectGeom struct {
	Name, Label string
	Kind        int
	Floor       int
	Region      int
	Pose        lattice.Joint
	State       uint32
}

// ZoneGeom is a compiled trigger zone. Its id toward rules is its index + 1.
type ZoneGeom struct {
	Name   string
	Floor  int
	Region int
	Rect   Rect
	Door   int // index of the door tied to it, -1 for none
}

// DoorGeom is a compiled door.
type DoorGeom struct {
	Name           string
	Floor, Region  int
	Pose           lattice.Joint // centre of the leaf on the ground
	Width, Height  int32
	Zone           int    // -1 for none
	PermilleByTick uint32 // how far it moves in a tick, rounded, at least 1
	Locked         bool
}

// CompiledRule is a rule with its indices.
type CompiledRule struct {
	Name     string
	Plugin   string
	Path     string         // absolute path of a .wasm file, empty for a shipped plugin
	Kinds    map[int]bool   // kinds whose requests it decides; of several rules that claim a kind by naming none, the first whose plugin takes the request
	Zones    map[int]bool   // zones it hears
	Settings map[string]any // values are int64, float64 (finite), bool or string
	Topics   []string       // of clients' messages it takes; nil: those of its plugin
	Allow    []string       // names of commands it may use; nil: all that its plugin names
	Class    abi.Class      // of limits, as granted
	Freeze   bool           // in quarantine, its objects stay where they are
	Fallback int            // index of the rule that decides its kinds while it is in quarantine, -1 for none
	File     string         // where it is written, for messages; "" when that is not known
	Line     int
}

// Region is a leaf of a floor's tree of cuts.
type Region struct {
	Index  int
	Name   string // "<floor>" for an uncut floor, "<floor>-<path>" otherwise; used in bus subjects, logs and store keys
	Floor  int
	Rect   Rect
	Origin lattice.Vec // whole metres, in steps: the minimum of the rectangle and of the floor's height, rounded down
}

// ZoneID returns the id that rules know zone index i by.
func ZoneID(i int) uint64 { return uint64(i) + 1 }

// FloorAt returns the index of the floor whose rectangle and volume hold p, or -1. Of several
// it prefers current when that still holds p with half a metre of vertical
// slack.
func (v *Venue) FloorAt(p lattice.Vec, current int) int {
	const slack = lattice.Steps / 2
	if current >= 0 && current < len(v.Floors) {
		f := &v.Floors[current]
		if f.Rect.Contains(p) && p.Y >= f.MinY-slack && p.Y < f.MaxY+slack {
			return current
		}
	}
	for i := range v.Floors {
		f := &v.Floors[i]
		if f.Rect.Contains(p) && p.Y >= f.MinY && p.Y < f.MaxY {
			return i
		}
	}
	return -1
}

// RoomAt returns the index of the room of a floor that holds p, or -1.
func (v *Venue) RoomAt(floor int, p lattice.Vec) int {
	for i := range v.Rooms {
		if v.Rooms[i].Floor == floor && v.Rooms[i].Rect.Contains(p) {
			return i
		}
	}
	return -1
}

// Presents reports whether p, on a floor, lies in a zone whose visitors present.
func (v *Venue) Presents(floor int, p lattice.Vec) bool {
	for _, z := range v.Interest.Presenters {
		if v.Zones[z].Floor == floor && v.Zones[z].Rect.Contains(p) {
			return true
		}
	}
	return false
}

// RegionAt returns the index of the region of a floor that holds p, or -1.
func (v *Venue) RegionAt(floor int, p lattice.Vec) int {
	for i := range v.Regions {
		if v.Regions[i].Floor == floor && v.Regions[i].Rect.Contains(p) {
			return i
		}
	}
	return -1
}
