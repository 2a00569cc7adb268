package venues

import "github.com/venued/venued/abi"

// Manifest is a venue as its designer writes it: the [venue] part of a
// configuration file and the lists beside it. Lengths are metres (y up), times
// seconds unless the name says otherwise. Parse reads one and checks it;
// Compile makes it what the host computes with.
type Manifest struct {
	Venue   VenueTable `toml:"venue,required"`
	Floors  []Floor    `toml:"floor"`
	Rooms   []Room     `toml:"room"`
	Spawns  []Spawn    `toml:"spawn"`
	Kinds   []Kind     `toml:"kind"`
	Objects []Object   `toml:"object"`
	Zones   []Zone     `toml:"zone"`
	Doors   []Door     `toml:"door"`
	Rules   []Rule     `toml:"rule"`
	Cuts    []Cut      `toml:"cut"`
	Portals []Portal   `toml:"portal"`
}

// VenueTable is the [venue] table.
type VenueTable struct {
	ID           string  `toml:"id,required"`    // [a-z][a-z0-9-]{0,31}; part of tokens and bus subjects
	Name         string  `toml:"name,required"`  // shown to people, at most 64 letters
	TickHz       int     `toml:"tick_hz"`        // default 30; 10-60
	UploadHz     int     `toml:"upload_hz"`      // default 30; 20-60
	SendHz       int     `toml:"send_hz"`        // default 30 (VR), or tick_hz if that is lower; 20 for MR; 10-30, at most tick_hz
	CellM        float64 `toml:"cell_m"`         // interest cell, default 5; 3-20
	GrabWindowMS int     `toml:"grab_window_ms"` // default 100; 0 = arrival order; 0-500
	Limits       Limits  `toml:"limits"`

	Interest Interest `toml:"interest"`
}

// Interest is [venue.interest]: whom visitors see best in a crowd.
type Interest struct {
	Near           int      `toml:"near"`            // default 64; 8-256: so many visitors are sent to each client at the full rate, the others at an eighth of it
	PresenterZones []string `toml:"presenter_zones"` // zones as a stage: visitors in one are seen from everywhere on their floor, at the full rate, at most MaxPresenters of them
}

// Limits is [venue.limits].
type Limits struct {
	Users        int     `toml:"users"`          // default 300; 1-10,000
	SpeedMS      float64 `toml:"speed_m_s"`      // default 6; 0.5-50: refill of the displacement budget
	BurstM       float64 `toml:"burst_m"`        // default 2; 0.1-20: its capacity, at least the refill between two samples
	HandReachM   float64 `toml:"hand_reach_m"`   // default 1.5; 0.5-5: hand from head
	GrabReachM   float64 `toml:"grab_reach_m"`   // default 0.6; 0.05-5: hand from object; the rule may be stricter
	EventsPerS   float64 `toml:"events_per_s"`   // default 20; 1-200: key inputs of a client
	RuleCallMS   int     `toml:"rule_call_ms"`   // default 100; 5-1000: a rule that computed twice as long in a tick, counted in fuel, is not called again in it
	ResumeGraceS float64 `toml:"resume_grace_s"` // default 10; 1-120: how long a lost client's place is kept
}

// Floor is one walkable level: a rectangle in x and z and a volume in y.
type Floor struct {
	Name   string     `toml:"name,required"`
	Min    [2]float64 `toml:"min,required"` // x, z
	Max    [2]float64 `toml:"max,required"` // x, z
	Y      float64    `toml:"y"`            // height of the ground, default 0
	Height float64    `toml:"height"`       // default 4; 1-1000
}

// Room is a named rectangle on a floor; rooms of one floor do not overlap.
type Room struct {
	Name  string     `toml:"name,required"`
	Floor string     `toml:"floor"` // default: the only floor
	Min   [2]float64 `toml:"min,required"`
	Max   [2]float64 `toml:"max,required"`
}

// Spawn is where visitors appear: a point with a radius, on the ground.
type Spawn struct {
	Name   string     `toml:"name,required"`
	Floor  string     `toml:"floor"` // default: the room's, or the only floor
	Room   string     `toml:"room"`  // optional: the room it must lie in
	At     [2]float64 `toml:"at,required"`
	Radius float64    `toml:"radius"` // default 1; 0-50
	YawDeg float64    `toml:"yaw_deg"`
}

// Kind is a class of objects.
type Kind struct {
	Name      string    `toml:"name,required"`
	Grabbable bool      `toml:"grabbable"`
	Usable    bool      `toml:"usable"`
	Shape     string    `toml:"shape"`   // "box" (default), "sphere", "cylinder"
	Size      []float64 `toml:"size"`    // 1 or 3 lengths, default [0.2]
	Color     string    `toml:"color"`   // "#rrggbb", default "#8888aa"
	Restore   bool      `toml:"restore"` // put back at its place when released outside every floor
}

// Object is one thing of a kind, at a place.
type Object struct {
	Name   string     `toml:"name,required"` // durable state is kept under it
	Kind   string     `toml:"kind,required"`
	Floor  string     `toml:"floor"`       // default: the room's, or the only floor
	Room   string     `toml:"room"`        // optional: the room it must lie in
	At     [3]float64 `toml:"at,required"` // x, y, z, venue coordinates
	YawDeg float64    `toml:"yaw_deg"`
	Label  string     `toml:"label"`
	State  uint32     `toml:"state"`
}

// Zone is a trigger volume: a rectangle on a floor, as high as the floor.
type Zone struct {
	Name  string     `toml:"name,required"`
	Floor string     `toml:"floor"` // default: the room's, or the only floor
	Room  string     `toml:"room"`  // optional: the room it must lie in
	Min   [2]float64 `toml:"min,required"`
	Max   [2]float64 `toml:"max,required"`
}

// Door is a leaf that moves between closed and open.
type Door struct {
	Name    string     `toml:"name,required"`
	Floor   string     `toml:"floor"`       // default: the only floor
	At      [2]float64 `toml:"at,required"` // centre of the leaf, on the ground
	Width   float64    `toml:"width"`       // default 1.2; 0.3-20
	Height  float64    `toml:"height"`      // default 2.2; 0.5 to the floor's height
	YawDeg  float64    `toml:"yaw_deg"`     // 0: the leaf spans x
	Zone    string     `toml:"zone"`        // the trigger zone tied to it, optional
	Between []string   `toml:"between"`     // the two rooms it joins, optional
	OpenS   float64    `toml:"open_s"`      // seconds from closed to open, default 1; 0.1-10
	Locked  bool       `toml:"locked"`
}

// Rule is one plugin of the venue, in the order of their calls.
type Rule struct {
	Name   string   `toml:"name"`            // default: the plugin's name
	Plugin string   `toml:"plugin,required"` // a shipped plugin's name, or a path of a .wasm file beside the manifest
	Kinds  []string `toml:"kinds"`           // kinds whose requests (grab, release, use) it decides; none: all that no other rule names
	Zones  []string `toml:"zones"`           // zones whose enter and exit it hears; none: all
	Topics []string `toml:"topics"`          // topics of clients' messages it takes; none: those of its plugin
	Allow  []string `toml:"allow"`           // commands it may use; left out: all that its plugin names
	Class  string   `toml:"class"`           // limits it is granted: "small" (default) or "large"
	// OnQuarantine is what becomes of its kinds while it is in quarantine: "deny" (default), "freeze", or "fallback:RULE".
	OnQuarantine string         `toml:"on_quarantine"`
	Settings     map[string]any `toml:"settings"`
}

// Cut divides the leaf it lies in, of a floor's tree of regions, at a whole metre.
type Cut struct {
	Floor string `toml:"floor"`         // default: the only floor
	Axis  string `toml:"axis,required"` // "x" or "z"
	At    int    `toml:"at,required"`   // metres
	In    string `toml:"in"`            // path of the leaf to cut: "" (the whole floor), then "0" below, "1" above, "01" ...
}

// Portal is what one can look through from one room into another. In a venue with portals, rooms that none
// joins do not see each other.
type Portal struct {
	Between []string `toml:"between,required"` // two rooms of one floor
}

// SetDefaults fills in what a manifest may leave out of [venue].
func (v *VenueTable) SetDefaults() {
	v.TickHz, v.UploadHz, v.SendHz = 30, 30, 30
	v.CellM, v.GrabWindowMS = 5, 100
}

// SetDefaults fills in the default limits.
func (l *Limits) SetDefaults() {
	*l = Limits{Users: 300, SpeedMS: 6, BurstM: 2, HandReachM: 1.5, GrabReachM: 0.6,
		EventsPerS: 20, RuleCallMS: 100, ResumeGraceS: 10}
}

// SetDefaults fills in how many are near.
func (i *Interest) SetDefaults() { i.Near = 64 }

// SetDefaults makes a floor 4 m high.
func (f *Floor) SetDefaults() { f.Height = 4 }

// SetDefaults gives a spawn point a radius of 1 m.
func (s *Spawn) SetDefaults() { s.Radius = 1 }

// SetDefaults makes a kind a grey-blue box of 0.2 m.
func (k *Kind) SetDefaults() { k.Shape, k.Size, k.Color = "box", []float64{0.2}, "#8888aa" }

// SetDefaults grants a rule the small class and denies its requests in quarantine.
func (r *Rule) SetDefaults() { r.Class, r.OnQuarantine = string(abi.ClassSmall), QuarantineDeny }

// SetDefaults makes a door 1.2 m wide, 2.2 m high and open within a second.
func (d *Door) SetDefaults() { d.Width, d.Height, d.OpenS = 1.2, 2.2, 1 }
