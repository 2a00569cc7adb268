package behaviour

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/venued/venued/sdk/loadgen/plan"
	"github.com/venued/venued/sdk/motion"
	"github.com/venued/venued/venues/strict"
)

// MaxModel is the longest model file that is read, bytes.
const MaxModel = 1 << 20

// maxStates bounds the states of a chain.
const maxStates = 200

type modelFile struct {
	Model struct {
		Name  string     `toml:"name,required"`
		Moves []fileMove `toml:"move,required"`
		Acts  []fileDeed `toml:"act"`
	} `toml:"model,required"`
}

type fileMove struct {
	Name   string       `toml:"name,required"`
	Motion string       `toml:"motion,required"`
	Walks  bool         `toml:"walks"`
	Dwell  [][]float64  `toml:"dwell,required"` // [share, seconds]
	Next   []fileChance `toml:"next,required"`
}

type fileDeed struct {
	Name  string       `toml:"name,required"`
	Act   string       `toml:"act,required"`
	Topic string       `toml:"topic"`
	Bytes int          `toml:"bytes"`
	Dwell [][]float64  `toml:"dwell,required"`
	Next  []fileChance `toml:"next,required"`
}

type fileChance struct {
	To string  `toml:"to,required"`
	P  float64 `toml:"p,required"`
}

// ParseModel reads a model file. The error is strict.Problems, each with its line.
func ParseModel(name string, data []byte) (*Model, error) {
	doc, err := strict.Open(name, data)
	if err != nil {
		return nil, err
	}
	var f modelFile
	problems := doc.Decode(&f)
	add := func(path, msg, hint string) {
		if !doc.Bad(path) {
			problems = append(problems, doc.Problem(path, msg, hint))
		}
	}
	if n := max(len(f.Model.Moves), len(f.Model.Acts)); n > maxStates {
		add("model", fmt.Sprintf("%d states", n), fmt.Sprintf("at most %d are taken", maxStates))
	} else if len(f.Model.Moves) == 0 && len(problems) == 0 {
		add("model.move", "no states of moving", "give at least one")
	}
	m := &Model{Name: f.Model.Name}
	dwell := func(path string, list [][]float64) plan.Dist {
		d := plan.Dist{Kind: plan.Measured}
		for _, q := range list {
			if len(q) != 2 || !(math.Abs(q[1]) <= maxScriptTime) {
				add(path+".dwell", fmt.Sprintf("%v", q), "give pairs: [share, seconds], of a day at most")
				return d
			}
			d.Quantiles = append(d.Quantiles, plan.Quantile{Q: q[0], Value: seconds(q[1])})
		}
		if err := d.Check(); err != nil {
			add(path+".dwell", err.Error(), "")
		}
		return d
	}
	next := func(path string, list []fileChance, known []string) (out []Chance) {
		sum := 0.0
		for i, c := range list {
			if !slices.Contains(known, c.To) {
				add(fmt.Sprintf("%s.next[%d].to", path, i), fmt.Sprintf("%q is no state of this chain", c.To), strict.DidYouMean(c.To, known))
			}
			if !(c.P > 0) {
				add(fmt.Sprintf("%s.next[%d].p", path, i), fmt.Sprintf("a probability of %v", c.P), "give more than 0, or leave it out")
			}
			sum += c.P
			out = append(out, Chance(c))
		}
		if math.Abs(sum-1) > 0.01 {
			add(path+".next", fmt.Sprintf("the probabilities add up to %v", sum), "they must add up to 1")
		}
		return out
	}
	unique := func(path, name string, seen []string) {
		if slices.Contains(seen, name) {
			add(path+".name", fmt.Sprintf("%q is there twice", name), "give each state a name of its own")
		}
	}
	var moves, acts []string
	for _, s := range f.Model.Moves {
		moves = append(moves, s.Name)
	}
	for _, s := range f.Model.Acts {
		acts = append(acts, s.Name)
	}
	for i, s := range f.Model.Moves {
		path := fmt.Sprintf("model.move[%d]", i)
		unique(path, s.Name, moves[:i])
		if !slices.Contains(motion.Kinds, motion.Kind(s.Motion)) {
			add(path+".motion", fmt.Sprintf("%q is no way to move", s.Motion), fmt.Sprintf("use one of %v", motion.Kinds))
		}
		m.Moves = append(m.Moves, Move{s.Name, motion.Kind(s.Motion), s.Walks, dwell(path, s.Dwell), next(path, s.Next, moves)})
	}
	for i, s := range f.Model.Acts {
		path := fmt.Sprintf("model.act[%d]", i)
		unique(path, s.Name, acts[:i])
		if !slices.Contains(plan.Actions(), s.Act) || s.Act == plan.Join {
			add(path+".act", fmt.Sprintf("%q is nothing that a visitor does", s.Act), "use one of "+strings.Join(plan.Actions()[1:], ", "))
		}
		if s.Bytes < 0 || s.Bytes > maxPayload || len(s.Topic) > maxTopic {
			add(path, fmt.Sprintf("a message of %d bytes on a topic of %d", s.Bytes, len(s.Topic)), fmt.Sprintf("at most %d and %d are sent", maxPayload, maxTopic))
		}
		m.Acts = append(m.Acts, Deed{s.Name, s.Act, s.Topic, s.Bytes, dwell(path, s.Dwell), next(path, s.Next, acts)})
	}
	if err := problems.Err(); err != nil {
		return nil, err
	}
	return m, nil
}

// Write writes a model whose dwell times are measured, as ParseModel reads it.
func (m *Model) Write(w io.Writer) error {
	var b strings.Builder
	state := func(kind string, d *plan.Dist, next []Chance, lines ...string) {
		fmt.Fprintf(&b, "\n[[model.%s]]\n%sdwell = [", kind, strings.Join(lines, ""))
		for i, q := range d.Quantiles {
			if i > 0 {
				b.WriteString(", ")
			}
			fmt.Fprintf(&b, "[%.6g, %.6g]", q.Q, max(q.Value.Seconds(), 1e-6))
		}
		b.WriteString("]\n")
		for _, c := range next {
			fmt.Fprintf(&b, "[[model.%s.next]]\nto = %q\np = %.9g\n", kind, c.To, c.P)
		}
	}
	fmt.Fprintf(&b, "[model]\nname = %q\n", m.Name)
	for i := range m.Moves {
		s := &m.Moves[i]
		state("move", &s.Dwell, s.Next, fmt.Sprintf("name = %q\nmotion = %q\nwalks = %v\n", s.Name, s.Motion, s.Walks))
	}
	for i := range m.Acts {
		s := &m.Acts[i]
		state("act", &s.Dwell, s.Next, fmt.Sprintf("name = %q\nact = %q\ntopic = %q\nbytes = %d\n", s.Name, s.Act, s.Topic, s.Bytes))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
