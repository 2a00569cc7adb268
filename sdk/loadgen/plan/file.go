package plan

import (
	"fmt"
	"time"

	"github.com/venued/venued/venues/strict"
)

// file is a plan as it is written.
type file struct {
	Load fileLoad `toml:"load"`
}

type fileLoad struct {
	Name        string          `toml:"name"`
	Curve       [][]float64     `toml:"curve,required"` // [seconds, users]
	MaxInFlight int             `toml:"max_in_flight"`
	DurationS   float64         `toml:"duration_s"`
	TickMS      float64         `toml:"tick_ms"`
	TimeoutS    float64         `toml:"timeout_s"`
	Seed        int             `toml:"seed"`
	Loop        string          `toml:"loop"`
	Think       fileDist        `toml:"think"`
	Actions     []fileAction    `toml:"action"`
	Behaviours  []fileBehaviour `toml:"behaviour"`
	Gates       []fileGate      `toml:"gate"`
}

type fileDist struct {
	Kind      string      `toml:"kind,required"`
	MeanS     float64     `toml:"mean_s"`
	MinS      float64     `toml:"min_s"`
	MaxS      float64     `toml:"max_s"`
	MedianS   float64     `toml:"median_s"`
	P95S      float64     `toml:"p95_s"`
	Quantiles [][]float64 `toml:"quantiles"` // [share, seconds]
}

type fileAction struct {
	Kind   string  `toml:"kind,required"`
	Weight float64 `toml:"weight,required"`
	Zone   string  `toml:"zone"`
	Use    string  `toml:"use"`
	Topic  string  `toml:"topic"`
	Data   string  `toml:"data"`
}

type fileBehaviour struct {
	Kind  string  `toml:"kind,required"`
	Share float64 `toml:"share,required"`
	File  string  `toml:"file"`
}

type fileGate struct {
	Figure string  `toml:"figure,required"`
	Max    float64 `toml:"max"`
	Min    float64 `toml:"min"`
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// Parse reads a plan file (TOML). What the file leaves out is as in Default; a file without duration lasts as
// long as its curve. The error is strict.Problems, each with its line.
func Parse(name string, data []byte) (*Plan, error) {
	doc, err := strict.Open(name, data)
	if err != nil {
		return nil, err
	}
	var f file
	problems := doc.Decode(&f)
	l := &f.Load
	p := Default(1, time.Second)
	p.Name, p.Curve = l.Name, nil
	pairs := func(path, form string, list [][]float64, take func(a, b float64)) {
		for i, x := range list {
			if len(x) != 2 {
				problems = append(problems, doc.Problem(fmt.Sprintf("%s[%d]", path, i), fmt.Sprintf("%d numbers", len(x)), "give two: "+form))
				continue
			}
			take(x[0], x[1])
		}
	}
	pairs("load.curve", "[seconds, users]", l.Curve, func(a, b float64) { p.Curve = append(p.Curve, Point{seconds(a), b}) })
	p.Duration = p.Curve.End()
	if doc.Has("load.duration_s") {
		p.Duration = seconds(l.DurationS)
	}
	if doc.Has("load.max_in_flight") {
		p.MaxInFlight = l.MaxInFlight
	}
	if doc.Has("load.tick_ms") {
		p.Tick = seconds(l.TickMS / 1000)
	}
	if doc.Has("load.timeout_s") {
		p.Timeout = seconds(l.TimeoutS)
	}
	if doc.Has("load.seed") {
		p.Seed = uint64(l.Seed)
	}
	if doc.Has("load.loop") {
		p.Loop = Loop(l.Loop)
	}
	if doc.Has("load.think") {
		t := &l.Think
		p.Think = Dist{
			Kind: DistKind(t.Kind), Mean: seconds(t.MeanS), Min: seconds(t.MinS), Max: seconds(t.MaxS), Median: seconds(t.MedianS), P95: seconds(t.P95S),
		}
		pairs("load.think.quantiles", "[share, seconds]", t.Quantiles, func(a, b float64) {
			p.Think.Quantiles = append(p.Think.Quantiles, Quantile{a, seconds(b)})
		})
	}
	if doc.Has("load.action") {
		p.Actions, p.AnyMix = nil, false
		for _, a := range l.Actions {
			p.Actions = append(p.Actions, Action(a))
		}
	}
	if doc.Has("load.behaviour") {
		p.Behaviours = nil
		for _, b := range l.Behaviours {
			p.Behaviours = append(p.Behaviours, Behaviour{BehaviourKind(b.Kind), b.Share, b.File})
		}
	}
	for i, g := range l.Gates {
		gate := Gate{Figure: g.Figure}
		if path := fmt.Sprintf("load.gate[%d]", i); doc.Has(path + ".max") {
			gate.Max = &g.Max
		}
		if path := fmt.Sprintf("load.gate[%d]", i); doc.Has(path + ".min") {
			gate.Min = &g.Min
		}
		p.Gates = append(p.Gates, gate)
	}
	if err, ok := p.Validate().(Problems); ok {
		for _, x := range err {
			if !doc.Bad(x.Path) {
				problems = append(problems, doc.Problem(x.Path, x.Msg, x.Hint))
			}
		}
	}
	if err := problems.Err(); err != nil {
		return nil, err
	}
	return p, nil
}
