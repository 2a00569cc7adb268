package motion

import "math"

// Guided persons go where they are told and choose no way of their own.

// Place puts the person on the ground at x and z, at a height y, metres, facing yaw, radians about y: 0 looks along -z. From
// then on the person is guided.
func (p *Person) Place(x, y, z, yaw float64) {
	p.at, p.goal, p.yaw = vec{x, y, z}, vec{x, y, z}, yaw
	p.speed, p.pause, p.guided = 0, 0, true
}

// GoTo lets a guided person walk to x and z, metres, at its own pace.
func (p *Person) GoTo(x, z float64) {
	p.goal, p.guided = vec{x, p.at[1], z}, true
}

// At returns where the person stands: x, the height of the ground, and z in metres.
func (p *Person) At() [3]float64 { return p.at }

// Heading returns the way the person's body faces, radians about y: 0 looks along -z.
func (p *Person) Heading() float64 { return p.yaw }

// Arrived reports whether a guided person is where it was told to go.
func (p *Person) Arrived() bool { return math.Hypot(p.goal[0]-p.at[0], p.goal[2]-p.at[2]) < arrived }

// Become changes the way in which the person moves.
func (p *Person) Become(kind Kind) { p.kind = kind }

// arrived is how near to its goal a person is there, metres.
const arrived = 0.15

// Pace sets how fast a guided person walks, metres a second.
func (p *Person) Pace(speed float64) { p.pace = speed }
