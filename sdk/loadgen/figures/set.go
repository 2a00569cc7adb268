package figures

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"
)

// QueueLimit is the queue share above which a run measured a queue.
const QueueLimit = 0.2

// LateAfter is how long after its due time an action may be sent without counting as late: timers are not
// more exact on a busy machine.
const LateAfter = 20 * time.Millisecond

// Sample is what became of one action. Moments are offsets from the start of the run.
type Sample struct {
	Action string
	Due    time.Duration
	Sent   time.Duration
	Done   time.Duration // when the answer came, or when it was given up
	// Queued is how long it waited in the server before it was begun, Service how long the server worked on
	// it; both 0 when the server did not say.
	Queued  time.Duration
	Service time.Duration
	// Failure is "" for a success, and otherwise its kind: a code of the venue, "timeout", "connection", ...
	Failure string
	// Expected says that the failure is what the action was for: it counts as a success.
	Expected bool
}

// EndToEnd returns the time from when it was due to the answer.
func (s *Sample) EndToEnd() time.Duration { return s.Done - s.Due }

// Late returns how long it waited to be sent.
func (s *Sample) Late() time.Duration { return max(s.Sent-s.Due, 0) }

// Queue returns how long it waited in all.
func (s *Sample) Queue() time.Duration { return s.Late() + s.Queued }

// OK reports whether it counts as a success.
func (s *Sample) OK() bool { return s.Failure == "" || s.Expected }

// Counts are the counts and times of some actions.
type Counts struct {
	Done     int64            `json:"done"` // answered or given up
	OK       int64            `json:"ok"`
	Late     int64            `json:"late"` // sent more than LateAfter after they were due
	Failures map[string]int64 `json:"failures"`

	Service  *Histogram `json:"service"`    // of successes, as are the next two
	Queue    *Histogram `json:"queue"`      //
	EndToEnd *Histogram `json:"end_to_end"` //
	Failed   *Histogram `json:"failed"`     // end-to-end time of failures
}

// NewCounts returns empty counts.
func NewCounts() *Counts {
	return &Counts{Failures: map[string]int64{}, Service: NewHistogram(), Queue: NewHistogram(), EndToEnd: NewHistogram(), Failed: NewHistogram()}
}

// Add counts a sample.
func (c *Counts) Add(s *Sample) {
	c.Done++
	if s.Late() > LateAfter {
		c.Late++
	}
	if s.Failure != "" {
		c.Failures[s.Failure]++
	}
	if !s.OK() {
		c.Failed.Add(s.EndToEnd())
		return
	}
	c.OK++
	c.Service.Add(s.Service)
	c.Queue.Add(s.Queue())
	c.EndToEnd.Add(s.EndToEnd())
}

// Merge adds the counts of others.
func (c *Counts) Merge(o *Counts) {
	c.Done += o.Done
	c.OK += o.OK
	c.Late += o.Late
	for k, n := range o.Failures {
		c.Failures[k] += n
	}
	c.Service.Merge(o.Service)
	c.Queue.Merge(o.Queue)
	c.EndToEnd.Merge(o.EndToEnd)
	c.Failed.Merge(o.Failed)
}

// SuccessRate is the share of actions that succeeded, 1 for none.
func (c *Counts) SuccessRate() float64 { return ratio(float64(c.OK), float64(c.Done), 1) }

// QueueShare is all queue time over all end-to-end time of successes, 0 for none.
func (c *Counts) QueueShare() float64 {
	return ratio(c.Queue.Sum().Seconds(), c.EndToEnd.Sum().Seconds(), 0)
}

// LateShare is the share of actions that were sent late.
func (c *Counts) LateShare() float64 { return ratio(float64(c.Late), float64(c.Done), 0) }

func ratio(a, b, none float64) float64 {
	if b == 0 {
		return none
	}
	return a / b
}

// Set is all that a run counted, by action and by time.
type Set struct {
	Every  time.Duration      `json:"every_ns"` // length of a slice of time
	All    *Counts            `json:"all"`
	Action map[string]*Counts `json:"action"`
	Slices []*Slice           `json:"slices"` // by the time at which actions were due, without gaps from 0
	// Skipped counts actions by kind that were due when nobody could do them, as a release when nobody held anything.
	Skipped map[string]int64 `json:"skipped,omitempty"`
}

// Slice is a part of the run.
type Slice struct {
	Counts *Counts `json:"counts"`
	Users  float64 `json:"users"`  // there at its end, summed over machines
	Unsent int64   `json:"unsent"` // due in it, and never sent before the run ended
}

// NewSet returns an empty set with slices of a length.
func NewSet(every time.Duration) *Set {
	return &Set{Every: every, All: NewCounts(), Action: map[string]*Counts{}}
}

// at returns the slice of a moment, made with all before it.
func (s *Set) at(t time.Duration) *Slice {
	i := int(max(t, 0) / s.Every)
	for len(s.Slices) <= i {
		s.Slices = append(s.Slices, &Slice{Counts: NewCounts()})
	}
	return s.Slices[i]
}

// Add counts a sample.
func (s *Set) Add(x *Sample) {
	s.All.Add(x)
	if s.Action[x.Action] == nil {
		s.Action[x.Action] = NewCounts()
	}
	s.Action[x.Action].Add(x)
	s.at(x.Due).Counts.Add(x)
}

// Skip notes an action that nobody could do when it was due.
func (s *Set) Skip(action string) {
	if s.Skipped == nil {
		s.Skipped = map[string]int64{}
	}
	s.Skipped[action]++
}

// AllSkipped returns how many actions were skipped.
func (s *Set) AllSkipped() (n int64) {
	for _, x := range s.Skipped {
		n += x
	}
	return n
}

// Users notes how many users are there at a moment.
func (s *Set) Users(t time.Duration, n float64) { s.at(t).Users = n }

// Unsent notes an action that was due and not sent before the run ended. It is a failure of the generator, not of the server.
func (s *Set) Unsent(due time.Duration) { s.at(due).Unsent++ }

// NeverSent returns how many actions were due and not sent.
func (s *Set) NeverSent() (n int64) {
	for _, x := range s.Slices {
		n += x.Unsent
	}
	return n
}

// Actions returns the kinds of actions that were counted, sorted.
func (s *Set) Actions() []string { return slices.Sorted(maps.Keys(s.Action)) }

// Merge adds what another machine counted with slices of the same length.
func (s *Set) Merge(o *Set) {
	s.All.Merge(o.All)
	for k, c := range o.Action {
		if s.Action[k] == nil {
			s.Action[k] = NewCounts()
		}
		s.Action[k].Merge(c)
	}
	for k, n := range o.Skipped {
		if s.Skipped == nil {
			s.Skipped = map[string]int64{}
		}
		s.Skipped[k] += n
	}
	for i, x := range o.Slices {
		mine := s.at(time.Duration(i) * s.Every)
		mine.Counts.Merge(x.Counts)
		mine.Users += x.Users
		mine.Unsent += x.Unsent
	}
}

// maxSlices bounds a set that comes from elsewhere: a day of seconds.
const maxSlices = 24 * 3600

// Check says what is missing in a set that came from another machine, nil for nothing. Merge takes only sets that pass.
func (s *Set) Check(every time.Duration) error {
	whole := func(c *Counts) bool {
		return c != nil && c.Failures != nil && c.Service.whole() && c.Queue.whole() && c.EndToEnd.whole() && c.Failed.whole()
	}
	switch {
	case s.Every != every:
		return fmt.Errorf("figures: slices of %v, want %v", s.Every, every)
	case len(s.Slices) > maxSlices:
		return fmt.Errorf("figures: %d slices, at most %d are taken", len(s.Slices), maxSlices)
	case !whole(s.All):
		return errors.New("figures: the counts of all actions are not whole")
	}
	for k, c := range s.Action {
		if !whole(c) {
			return fmt.Errorf("figures: the counts of %q are not whole", k)
		}
	}
	for i, x := range s.Slices {
		if x == nil || !whole(x.Counts) {
			return fmt.Errorf("figures: slice %d is not whole", i)
		}
	}
	return nil
}

func (h *Histogram) whole() bool { return h != nil && (h.few != nil || h.many != nil) }
