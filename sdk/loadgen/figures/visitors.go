package figures

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// MaxErrors is how many different errors of joining are kept.
const MaxErrors = 5

// Visitors is what those who were there counted. Those of several machines add up, like Sets.
type Visitors struct {
	Peak        int `json:"peak"` // connected at a time; summed over machines
	Joined      int `json:"joined"`
	JoinFailed  int `json:"join_failed"`
	Disconnects int `json:"disconnects"` // that nobody planned
	Corrected   int `json:"corrected"`   // places that the venue did not take

	Join     *Histogram `json:"join"` // from when a visitor was to come until the welcome
	PoseAge  *Histogram `json:"pose_age"`
	Interval *Histogram `json:"update_interval"` // between two updates of one person at one visitor

	Frames     uint64   `json:"frames"`
	FramesLost uint64   `json:"frames_lost"`
	Visible    uint64   `json:"visible"` // people in view, summed over frames
	BytesUp    uint64   `json:"bytes_up"`
	BytesDown  uint64   `json:"bytes_down"`
	Seconds    float64  `json:"seconds"` // of presence, summed
	Missed     uint64   `json:"events_missed"`
	Errors     []string `json:"join_errors,omitempty"`
	// EachSecond is the frames of each second of the run.
	EachSecond []Frames `json:"each_second,omitempty"`
}

// Frames counts frames that came, and those that never did.
type Frames struct {
	Came uint64 `json:"came"`
	Lost uint64 `json:"lost"`
}

// NewVisitors returns empty counts.
func NewVisitors() *Visitors {
	return &Visitors{Join: NewHistogram(), PoseAge: NewHistogram(), Interval: NewHistogram()}
}

// Fault keeps an error of joining, each text once.
func (v *Visitors) Fault(text string) {
	if len(v.Errors) < MaxErrors && !slices.Contains(v.Errors, text) {
		v.Errors = append(v.Errors, text)
	}
}

// Frame counts a frame that came at a time of the run, and how many before it were found to be lost.
func (v *Visitors) Frame(at time.Duration, lost uint64) {
	v.Frames++
	second := min(int(max(at, 0)/time.Second), maxSlices-1)
	for len(v.EachSecond) <= second {
		v.EachSecond = append(v.EachSecond, Frames{})
	}
	v.EachSecond[second].Came++
	v.EachSecond[second].Lost += lost
}

// Merge adds what other visitors counted.
func (v *Visitors) Merge(o *Visitors) {
	v.Peak += o.Peak
	v.Joined += o.Joined
	v.JoinFailed += o.JoinFailed
	v.Disconnects += o.Disconnects
	v.Corrected += o.Corrected
	v.Join.Merge(o.Join)
	v.PoseAge.Merge(o.PoseAge)
	v.Interval.Merge(o.Interval)
	v.Frames += o.Frames
	v.FramesLost += o.FramesLost
	v.Visible += o.Visible
	v.BytesUp += o.BytesUp
	v.BytesDown += o.BytesDown
	v.Seconds += o.Seconds
	v.Missed += o.Missed
	for _, e := range o.Errors {
		v.Fault(e)
	}
	for i, x := range o.EachSecond {
		if i == len(v.EachSecond) {
			v.EachSecond = append(v.EachSecond, Frames{})
		}
		v.EachSecond[i].Came += x.Came
		v.EachSecond[i].Lost += x.Lost
	}
}

// Check says what is missing in counts that came from another machine, nil for nothing. Merge takes only those that pass.
func (v *Visitors) Check() error {
	switch {
	case !v.Join.whole() || !v.PoseAge.whole() || !v.Interval.whole():
		return errors.New("figures: the histograms of the visitors are not whole")
	case len(v.EachSecond) > maxSlices:
		return fmt.Errorf("figures: frames of %d seconds, at most %d are taken", len(v.EachSecond), maxSlices)
	case len(v.Errors) > MaxErrors:
		return fmt.Errorf("figures: %d errors of joining, at most %d are kept", len(v.Errors), MaxErrors)
	case min(v.Peak, v.Joined, v.JoinFailed, v.Disconnects, v.Corrected) < 0 || !(v.Seconds >= 0):
		return errors.New("figures: counts of visitors below zero")
	}
	return nil
}

// LostRatio is the share of frames that never came, 0 for none.
func (v *Visitors) LostRatio() float64 {
	return ratio(float64(v.FramesLost), float64(v.Frames+v.FramesLost), 0)
}
