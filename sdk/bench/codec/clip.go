package codec

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"

	"github.com/venued/venued/sdk/motion"
)

// Hz is how many updates a second are made of a clip.
const Hz = 30

// Clip is somebody's movement, Hz samples a second.
type Clip []motion.Sample

// shortest is how many samples a clip must have: fewer are mostly its beginning.
const shortest = 30

// mix is how many people of each kind the generator makes: a hall, not a gym.
var mix = []struct {
	kind   motion.Kind
	people int
}{
	{motion.Idle, 2}, {motion.Walk, 3}, {motion.Talk, 3}, {motion.Sit, 2}, {motion.Reach, 2}, {motion.Dance, 1},
	{motion.Throw, 1}, {motion.Swing, 1}, {motion.Lost, 1}, {motion.Glitch, 1}, {motion.Jitter, 1},
}

// Made returns made-up clips of every kind of movement.
func Made(seed uint64, seconds int) (clips []Clip) {
	for _, m := range mix {
		for range m.people {
			seed++
			p := motion.NewPerson(m.kind, seed)
			c := make(Clip, seconds*Hz)
			for i := range c {
				c[i] = p.Step(1.0 / Hz)
			}
			clips = append(clips, c)
		}
	}
	return clips
}

// line is a line of a recording.
type line struct {
	U     int64      `json:"u"`
	T     *float64   `json:"t"`
	Head  *lineJoint `json:"head"`
	Left  *lineJoint `json:"left"`
	Right *lineJoint `json:"right"`
}

type lineJoint struct {
	P []float64 `json:"p"`
	Q []float64 `json:"q"`
}

// joint checks a joint of a line.
func (j *lineJoint) joint(name string) (to motion.Joint, err error) {
	switch {
	case j == nil:
		return to, fmt.Errorf("%s: missing: want {\"p\": [x, y, z], \"q\": [x, y, z, w]}", name)
	case len(j.P) != 3:
		return to, fmt.Errorf("%s.p: %d numbers, want 3 (metres)", name, len(j.P))
	case len(j.Q) != 4:
		return to, fmt.Errorf("%s.q: %d numbers, want 4 (x, y, z, w)", name, len(j.Q))
	}
	for i, p := range j.P {
		if math.Abs(p) > 1000 {
			return to, fmt.Errorf("%s.p[%d]: %g is not within 1,000 m", name, i, p)
		}
	}
	n := math.Sqrt(j.Q[0]*j.Q[0] + j.Q[1]*j.Q[1] + j.Q[2]*j.Q[2] + j.Q[3]*j.Q[3])
	if n < 0.95 || n > 1.05 {
		return to, fmt.Errorf("%s.q: a quaternion of length %.3g, want 1", name, n)
	}
	return motion.Joint{P: [3]float64(j.P), Q: [4]float64(j.Q)}, nil
}

// user is a person of a recording, sample by sample.
type user struct {
	times   []float64 // ms
	samples []motion.Sample
}

// Read reads a recording: JSON, an object a line, with u (user, an integer), t (milliseconds) and head, left and right, each
// with p (metres, y up) and q (x, y, z, w). Users become clips of their own, as does what follows a pause of more than
// 200 ms or a step back in time; other rates than Hz are thinned out or held to it. Errors name line and field.
func Read(r io.Reader) ([]Clip, error) {
	users := map[int64]*user{}
	var order []int64
	scan := bufio.NewScanner(r)
	scan.Buffer(nil, 1<<16)
	n := 0
	for scan.Scan() {
		n++
		if len(bytes.TrimSpace(scan.Bytes())) == 0 {
			continue
		}
		var l line
		if err := json.Unmarshal(scan.Bytes(), &l); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if l.T == nil || math.Abs(*l.T) > 1e12 {
			return nil, fmt.Errorf("line %d: t: want the time in milliseconds", n)
		}
		var s motion.Sample
		for _, j := range []struct {
			name string
			from *lineJoint
			to   *motion.Joint
		}{{"head", l.Head, &s.Head}, {"left", l.Left, &s.Left}, {"right", l.Right, &s.Right}} {
			var err error
			if *j.to, err = j.from.joint(j.name); err != nil {
				return nil, fmt.Errorf("line %d: %w", n, err)
			}
		}
		u := users[l.U]
		if u == nil {
			u = &user{}
			users[l.U] = u
			order = append(order, l.U)
		}
		u.times, u.samples = append(u.times, *l.T), append(u.samples, s)
	}
	if err := scan.Err(); err != nil {
		return nil, fmt.Errorf("line %d: %w", n+1, err)
	}
	var clips []Clip
	for _, id := range order {
		clips = append(clips, users[id].clips()...)
	}
	if len(clips) == 0 {
		return nil, fmt.Errorf("no user has %d samples in a row, a second: nothing to measure", shortest)
	}
	return clips, nil
}

// clips cuts a user's samples where time jumps.
func (u *user) clips() (clips []Clip) {
	from := 0
	for i := 1; i <= len(u.times); i++ {
		if i < len(u.times) && u.times[i] >= u.times[i-1] && u.times[i]-u.times[i-1] <= 200 {
			continue
		}
		if c := sampled(u.times[from:i], u.samples[from:i]); len(c) >= shortest {
			clips = append(clips, c)
		}
		from = i
	}
	return clips
}

// sampled takes the newest sample at each tick, as a server does.
func sampled(times []float64, samples []motion.Sample) (c Clip) {
	const tick, slack = 1000.0 / Hz, 1.0
	at := 0
	for k := 0; ; k++ {
		t := times[0] + float64(k)*tick
		if t > times[len(times)-1]+slack {
			return c
		}
		for at+1 < len(times) && times[at+1] <= t+slack {
			at++
		}
		c = append(c, samples[at])
	}
}
