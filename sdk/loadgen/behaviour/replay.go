package behaviour

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/venued/venued/host/recording"
	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
	"github.com/venued/venued/sdk/bench/codec"
	"github.com/venued/venued/sdk/loadgen/plan"
	"github.com/venued/venued/sdk/motion"
)

// Bounds of what is replayed.
const (
	maxPoses     = 256 << 20          // bytes of a file of poses
	shortestClip = time.Second        // sessions that were shorter show nothing
	KeepStill    = 20 * time.Second   // what is left of a stretch in which somebody did nothing and went nowhere
	stillRadius  = 0.5                // metres: who stays within it went nowhere
	blend        = time.Second        // over which the end of a clip becomes its beginning, at least
	longPause    = 2 * time.Second    // without samples: the body stands where it was
	longestClip  = 24 * 3600 * 1e6    // microseconds
	maxSamples   = 30 * 3600 * 24 * 2 // of a recording: two days of one person
)

// Clip is what one person did in one session, on a clock of its own from 0.
type Clip struct {
	Name   string
	Length time.Duration
	poses  []clipPose
	back   time.Duration // before its end, from which on it makes its way to its beginning
	Acts   []Act         // Payload is zeros of the recorded length: recordings keep no payloads in tracks
}

type clipPose struct {
	at   time.Duration
	body lattice.Body
}

// ReadClips reads the sessions of a recording (.vrec) or of a file of poses (.jsonl; see package codec for its lines). A recording must be of
// the venue, unless venue is empty. Stretches longer than KeepStill in which somebody did nothing and went nowhere are cut down to it; all
// else keeps its shape. Errors name the file.
func ReadClips(path, venue string) ([]Clip, error) {
	if strings.EqualFold(filepath.Ext(path), ".jsonl") {
		return readPoses(path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rd, err := recording.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	defer rd.Close()
	if id := rd.Header().VenueID; venue != "" && id != venue {
		return nil, fmt.Errorf("%s: a recording of the venue %q, this one is %q: movement of one does not fit into the other", path, id, venue)
	}
	tracks, err := rd.Tracks()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	clips, err := fromTracks(tracks)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return clips, nil
}

// readPoses reads a file of poses: every user of it is a clip.
func readPoses(path string) ([]Clip, error) {
	data, err := readFile(path, maxPoses)
	if err != nil {
		return nil, err
	}
	read, err := codec.Read(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var clips []Clip
	for i, c := range read {
		clip := Clip{Name: fmt.Sprintf("clip %d", i+1), Length: time.Duration(len(c)) * time.Second / codec.Hz}
		for k := range c {
			b, err := c[k].Body()
			if err != nil {
				return nil, fmt.Errorf("%s: clip %d, sample %d: %w", path, i+1, k+1, err)
			}
			clip.poses = append(clip.poses, clipPose{time.Duration(k) * time.Second / codec.Hz, b})
		}
		clip.shorten(KeepStill)
		clips = append(clips, clip)
	}
	return clips, nil
}

// kinds of acts by kinds of input.
var kinds = map[stream.InputKind]string{
	stream.InputGrab: plan.Grab, stream.InputRelease: plan.Release, stream.InputMessage: plan.Rule, stream.InputAway: plan.Resume,
}

// fromTracks makes clips of the sessions of people: what bots did is no model for bots.
func fromTracks(tracks []recording.Track) ([]Clip, error) {
	var clips []Clip
	samples, bots := 0, 0
	for i := range tracks {
		t := &tracks[i]
		if t.Load {
			bots++
			continue
		}
		length := t.ToUS - t.FromUS
		if samples += len(t.Samples); samples > maxSamples || length > longestClip {
			return nil, fmt.Errorf("more than %d samples, or a session of more than a day: replay a shorter recording", maxSamples)
		}
		if len(t.Samples) == 0 || length < shortestClip.Microseconds() {
			continue
		}
		c := Clip{Name: t.User, Length: time.Duration(length) * time.Microsecond}
		offset := func(us int64) time.Duration {
			return min(max(time.Duration(us-t.FromUS)*time.Microsecond, 0), c.Length)
		}
		for _, s := range t.Samples {
			at := offset(s.TimeUS)
			if n := len(c.poses); n == 0 || at > c.poses[n-1].at {
				c.poses = append(c.poses, clipPose{at, s.Body})
			}
		}
		last := time.Duration(0)
		for _, d := range t.Did {
			kind, known := kinds[d.Kind]
			if !known {
				continue
			}
			last = max(last, offset(d.TimeUS)) // stamps may go back by what a clock was put right by
			c.Acts = append(c.Acts, Act{At: last, Kind: kind, Object: d.Object, Hand: d.Hand, Topic: d.Topic, Payload: make([]byte, min(d.Bytes, maxPayload))})
		}
		c.shorten(KeepStill)
		clips = append(clips, c)
	}
	if len(clips) == 0 {
		return nil, fmt.Errorf("no session of a person with poses, of %v or more (%d sessions, %d of them of load): nothing to replay", shortestClip, len(tracks), bots)
	}
	return clips, nil
}

// shorten cuts flat stretches down: those in which the person does nothing and stays within stillRadius for longer than keep. What is cut is
// their middle, so that what comes before and after keeps its shape.
func (c *Clip) shorten(keep time.Duration) {
	var poses []clipPose
	var acts []Act
	cut := time.Duration(0)
	act := 0
	take := func(until time.Duration) { // acts before until
		for ; act < len(c.Acts) && c.Acts[act].At < until; act++ {
			a := c.Acts[act]
			a.At -= cut
			acts = append(acts, a)
		}
	}
	for i := 0; i < len(c.poses); {
		from := c.poses[i].at
		end := c.Length // of the stretch: the next act, or the first pose too far away
		for k := act; k < len(c.Acts); k++ {
			if c.Acts[k].At > from {
				end = min(end, c.Acts[k].At)
				break
			}
		}
		j := i
		for j < len(c.poses) && c.poses[j].at < end && float64(c.poses[j].body.Head.Pos.Dist(c.poses[i].body.Head.Pos)) <= stillRadius*lattice.Steps {
			j++
		}
		if j < len(c.poses) {
			end = min(end, c.poses[j].at)
		}
		if end-from <= keep {
			take(c.poses[i].at + 1)
			p := c.poses[i]
			p.at -= cut
			poses = append(poses, p)
			i++
			continue
		}
		for ; i < j; i++ {
			take(c.poses[i].at + 1)
			p := c.poses[i]
			switch {
			case p.at < from+keep/2:
				p.at -= cut
			case p.at >= end-keep/2:
				p.at -= cut + (end - from - keep)
			default:
				continue
			}
			poses = append(poses, p)
		}
		cut += end - from - keep
	}
	take(c.Length + 1)
	c.poses, c.Acts, c.Length = poses, acts, c.Length-cut
	c.close()
}

// at returns the body at a time within the clip.
func (c *Clip) at(t time.Duration) motion.Sample {
	i := find(c.poses, t)
	if i == 0 {
		return sampleOf(&c.poses[0].body)
	}
	a := &c.poses[i-1]
	if i == len(c.poses) || c.poses[i].at-a.at > longPause {
		return sampleOf(&a.body)
	}
	b := &c.poses[i]
	return mixed(sampleOf(&a.body), sampleOf(&b.body), float64(t-a.at)/float64(b.at-a.at))
}

// looped is at for a clip that goes on from its beginning: before its end it makes its way back there, on foot.
func (c *Clip) looped(t time.Duration) motion.Sample {
	t %= c.Length
	s, first := c.at(t), c.at(0)
	if left := c.Length - t; left < c.back {
		return mixed(s, first, 1-float64(left)/float64(c.back))
	}
	return s
}

// close works out how long the way back from the end to the beginning takes.
func (c *Clip) close() {
	gap := sub(c.at(c.Length).Head.P, c.at(0).Head.P)
	c.back = min(max(blend, seconds(math.Hypot(gap[0], gap[2])/catchUp)), c.Length)
}

// replay deals clips to visitors.
type replay struct {
	clips []Clip
	stage *stage
}

// visit begins a copy of a clip, in turn: at a phase of its own, and rotated around the floor, so that no two copies are in step.
// What a recorded grab was of is forgotten with the rotation: the copy takes what it can reach.
func (r *replay) visit(seed uint64, n int) (string, life) {
	c := &r.clips[n%len(r.clips)]
	rng := rand.New(rand.NewPCG(seed, uint64(n)))
	phase := time.Duration(rng.Float64() * float64(c.Length))
	turn := c.turned(r.stage, 2*math.Pi*rng.Float64())
	act, round := 0, time.Duration(0)
	for act < len(c.Acts) && c.Acts[act].At < phase {
		act++
	}
	next := func() (Act, bool) {
		if len(c.Acts) == 0 {
			return Act{}, false
		}
		if act == len(c.Acts) {
			act, round = 0, round+c.Length
		}
		a := c.Acts[act]
		act++
		a.At += round - phase
		a.Object = ""
		return a, a.At < longest
	}
	return c.Name, life{
		pose:  func(t time.Duration) motion.Sample { s := c.looped(t + phase); turn.apply(&s); return s },
		next:  next,
		moved: func([3]float64) bool { return false },
	}
}
