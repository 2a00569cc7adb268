package loadgen

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/rtc/wire"
	client "github.com/venued/venued/sdk/go"
)

// Quantiles of a distribution, milliseconds.
type Quantiles struct {
	P50 float64 `json:"p50"`
	P95 float64 `json:"p95"`
	P99 float64 `json:"p99"`
}

// Grabs counts what became of grabs.
type Grabs struct {
	Requested  int `json:"requested"`
	Granted    int `json:"granted"`
	Denied     int `json:"denied"`
	DoubleHeld int `json:"double_held"` // times an object had two holders: must be 0
	Undecided  int `json:"undecided"`   // the run or the session ended before the answer
	Unverified int `json:"unverified"`  // times that missing events leave double_held open
	Released   int `json:"released"`
}

// Report is what a run measured. Field names of its JSON stay.
type Report struct {
	Users            int       `json:"users"`
	Joined           int       `json:"joined"`
	JoinFailed       int       `json:"join_failed"`
	PoseAgeMS        Quantiles `json:"pose_age_ms"`
	UpdateIntervalMS Quantiles `json:"update_interval_ms"`
	LostRatio        float64   `json:"lost_ratio"`       // frames that never came, of those sent
	BytesUpPerS      float64   `json:"bytes_up_per_s"`   // of a visitor, mean, payload of both lanes
	BytesDownPerS    float64   `json:"bytes_down_per_s"` // the same
	VisibleMean      float64   `json:"visible_mean"`     // other persons in view, mean over frames
	Grabs            Grabs     `json:"grabs"`
	Disconnects      int       `json:"disconnects"` // that nobody planned
	Resumes          int       `json:"resumes"`

	// Beyond what the fields above promise.
	PlannedDrops   int               `json:"planned_drops"`
	FullResumes    int               `json:"full_resumes"` // resumed, but events were missed
	NewSessions    int               `json:"new_sessions"` // joined anew because the session was gone
	Ended          int               `json:"ended"`        // visitors whose client gave up before the end
	JoinRetries    int               `json:"join_retries"` // further tries to join, whatever came of them
	DurationS      float64           `json:"duration_s"`   // from the first join to the last goodbye
	Lane           client.Lane       `json:"lane"`
	Seed           uint64            `json:"seed"`
	JoinMS         Quantiles         `json:"join_ms"`          // from the first request to the welcome
	RTTMS          Quantiles         `json:"rtt_ms"`           // shortest recent round trip of each visitor at the end
	EntitiesMean   float64           `json:"entities_mean"`    // persons, objects and doors in view, mean over frames
	FramesPerS     float64           `json:"frames_per_s"`     // of a visitor, mean
	Updates        int64             `json:"updates"`          // of persons, received by all
	PosesSent      uint64            `json:"poses_sent"`       //
	PosesSkipped   uint64            `json:"poses_skipped"`    // the lane was behind
	FramesRefused  uint64            `json:"frames_refused"`   // malformed: must be 0
	Malformed      uint64            `json:"events_malformed"` // must be 0
	EventsMissed   uint64            `json:"events_missed"`    // the generator did not keep up reading them
	Resends        uint64            `json:"resends"`          // key inputs sent again on the same connection
	Corrected      int               `json:"corrected"`        // times the venue cut a movement
	DoorsOpened    int               `json:"doors_opened"`     // as seen by all: one opening counts at each who saw it
	Codes          map[string]uint64 `json:"codes"`            // denials, errors and refusals by name
	JoinErrors     []string          `json:"join_errors,omitempty"`
	TotalBytesUp   uint64            `json:"total_bytes_up"`
	TotalBytesDown uint64            `json:"total_bytes_down"`
}

// OK reports whether the run shows a venue that works: all joined and no object had two holders.
func (r *Report) OK() bool {
	return r.Joined == r.Users && r.JoinFailed == 0 && r.Grabs.DoubleHeld == 0
}

// Text writes the report for people.
func (r *Report) Text(w io.Writer) {
	q := func(q Quantiles) string { return fmt.Sprintf("%.1f / %.1f / %.1f ms", q.P50, q.P95, q.P99) }
	rows := [][2]string{
		{"visitors", fmt.Sprintf("%d of %d joined, %d failed, %d retries, over %s, %.1f s", r.Joined, r.Users, r.JoinFailed, r.JoinRetries, r.Lane, r.DurationS)},
		{"join p50/p95/p99", q(r.JoinMS)},
		{"pose age p50/p95/p99", q(r.PoseAgeMS)},
		{"update interval", q(r.UpdateIntervalMS)},
		{"lost frames", fmt.Sprintf("%.2f %%", 100*r.LostRatio)},
		{"a visitor's bytes", fmt.Sprintf("%.0f B/s up, %.0f B/s down, %.1f frames/s", r.BytesUpPerS, r.BytesDownPerS, r.FramesPerS)},
		{"in view", fmt.Sprintf("%.1f persons, %.1f entities", r.VisibleMean, r.EntitiesMean)},
		{"grabs", fmt.Sprintf("%d requested, %d granted, %d denied, %d undecided; %d double held, %d unverified",
			r.Grabs.Requested, r.Grabs.Granted, r.Grabs.Denied, r.Grabs.Undecided, r.Grabs.DoubleHeld, r.Grabs.Unverified)},
		{"connections", fmt.Sprintf("%d lost unplanned, %d dropped on purpose, %d resumed (%d fully), %d joined anew, %d ended",
			r.Disconnects, r.PlannedDrops, r.Resumes, r.FullResumes, r.NewSessions, r.Ended)},
	}
	for _, name := range slices.Sorted(maps.Keys(r.Codes)) {
		rows = append(rows, [2]string{"code " + name, fmt.Sprint(r.Codes[name])})
	}
	for _, e := range r.JoinErrors {
		rows = append(rows, [2]string{"join error", e})
	}
	for _, row := range rows {
		fmt.Fprintf(w, "%-22s %s\n", row[0], row[1])
	}
}

// Histograms hold units of 100 us up to ten minutes with two significant digits.
const (
	histUnit = 100 * time.Microsecond
	histMax  = int64(10 * time.Minute / histUnit)
)

func newHistogram() *hdrhistogram.Histogram { return hdrhistogram.New(1, histMax, 2) }

func record(h *hdrhistogram.Histogram, d time.Duration) {
	// The bounds are clamped, so it cannot fail.
	_ = h.RecordValue(min(max(int64((d+histUnit/2)/histUnit), 0), histMax))
}

func quantiles(h *hdrhistogram.Histogram) Quantiles {
	at := func(p float64) float64 {
		return float64(h.ValueAtQuantile(p)) * float64(histUnit) / float64(time.Millisecond)
	}
	return Quantiles{at(50), at(95), at(99)}
}

// tally is what one visitor counts.
type tally struct {
	age, interval                           *hdrhistogram.Histogram
	last                                    map[uint64]time.Time // last update of each person in view
	frames, visible, entities               uint64
	updates                                 int64
	requested, granted, denied, undecided   int
	released, planned, disconnects, resumes int
	corrected, doors                        int
	missed                                  uint64
	codes                                   map[wire.Code]uint64
}

func newTally() tally {
	return tally{age: newHistogram(), interval: newHistogram(), last: map[uint64]time.Time{}, codes: map[wire.Code]uint64{}}
}

// forget starts intervals anew on a new connection.
func (t *tally) forget() { clear(t.last) }

func (t *tally) gone(id uint64) { delete(t.last, id) }

func (t *tally) avatar(id uint64, f *client.Frame, s *stream.State, now time.Time) {
	if s.Flags&stream.FlagAway != 0 {
		t.last[id] = time.Time{} // in view, but without samples
		return
	}
	t.updates++
	taken := f.TickUS - int64(s.AgeMS)*1000
	record(t.age, time.Duration(f.ReceivedUS-taken)*time.Microsecond)
	if before := t.last[id]; !before.IsZero() {
		record(t.interval, now.Sub(before))
	}
	t.last[id] = now
}

func (t *tally) frame(f *client.Frame) {
	t.frames++
	t.visible += uint64(len(t.last))
	t.entities += uint64(f.Visible)
}

// total gathers the visitors of a run.
type total struct {
	age, interval, join, rtt *hdrhistogram.Histogram
	frames, visible          uint64
	entities, lost           uint64
	seconds                  float64 // of presence, summed
}

func newTotal() *total {
	return &total{age: newHistogram(), interval: newHistogram(), join: newHistogram(), rtt: newHistogram()}
}

// add merges one visitor that was there for so long.
func (a *total) add(r *Report, t *tally, s client.Stats, rtt, there time.Duration) {
	a.age.Merge(t.age)
	a.interval.Merge(t.interval)
	record(a.rtt, rtt)
	a.frames += t.frames
	a.visible += t.visible
	a.entities += t.entities
	a.lost += s.FramesLost
	a.seconds += there.Seconds()
	r.Grabs.Requested += t.requested
	r.Grabs.Granted += t.granted
	r.Grabs.Denied += t.denied
	r.Grabs.Undecided += t.undecided
	r.Grabs.Released += t.released
	r.PlannedDrops += t.planned
	r.Disconnects += t.disconnects
	r.Resumes += t.resumes
	r.Corrected += t.corrected
	r.DoorsOpened += t.doors
	r.EventsMissed += t.missed
	r.Updates += t.updates
	for code, n := range t.codes {
		r.Codes[code.Name()] += n
	}
	r.FullResumes += int(s.FullResumes)
	r.NewSessions += int(s.NewSessions) - 1 // the first is the join
	r.PosesSent += s.PosesSent
	r.PosesSkipped += s.PosesSkipped
	r.FramesRefused += s.FramesRefused
	r.Malformed += s.EventsMalformed
	r.Resends += s.Resends
	r.TotalBytesUp += s.BytesUp
	r.TotalBytesDown += s.BytesDown
}

// finish works out the means.
func (a *total) finish(r *Report) {
	r.PoseAgeMS, r.UpdateIntervalMS = quantiles(a.age), quantiles(a.interval)
	r.JoinMS, r.RTTMS = quantiles(a.join), quantiles(a.rtt)
	if sent := a.frames + a.lost; sent > 0 {
		r.LostRatio = float64(a.lost) / float64(sent)
	}
	if a.frames > 0 {
		r.VisibleMean = float64(a.visible) / float64(a.frames)
		r.EntitiesMean = float64(a.entities) / float64(a.frames)
	}
	if a.seconds > 0 {
		r.BytesUpPerS = float64(r.TotalBytesUp) / a.seconds
		r.BytesDownPerS = float64(r.TotalBytesDown) / a.seconds
		r.FramesPerS = float64(a.frames) / a.seconds
	}
}
