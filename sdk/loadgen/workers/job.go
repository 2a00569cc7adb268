package workers

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/venued/venued/rtc/wire"
	client "github.com/venued/venued/sdk/go"
	"github.com/venued/venued/sdk/loadgen/crowd"
	"github.com/venued/venued/sdk/loadgen/plan"
)

// Bounds of messages.
const (
	Version    = 1
	MaxJob     = 64 << 20 // bytes of a job, files included
	MaxUpdates = 64 << 20 // bytes of all that a worker answers to a run
	MaxPlan    = 1 << 20  // bytes of a plan
	MaxWorkers = 64
	MinSecret  = 16 // bytes
	// Silence is how long a worker may say nothing before it counts as lost.
	Silence = 10 * time.Second
	// Keep is how long a prepared job waits for its start.
	Keep = time.Minute
)

// Job is a part of a run, as the coordinator sends it.
type Job struct {
	Version  int       `json:"version"`
	Name     string    `json:"name"` // of the plan's file, for errors
	Plan     string    `json:"plan"` // TOML
	Files    []File    `json:"files,omitempty"`
	URL      string    `json:"url"`
	Token    string    `json:"token,omitempty"`     // reusable, with the load mark; or
	TokenURL string    `json:"token_url,omitempty"` // a service that gives tokens
	Lane     string    `json:"lane"`
	Prefix   string    `json:"prefix"`
	Loop     plan.Loop `json:"loop"`
	Part     int       `json:"part"` // from 0
	Of       int       `json:"of"`
	// Every is the length of the slices of the figures.
	Every time.Duration `json:"every_ns"`
}

// File is the file of a behaviour of the plan.
type File struct {
	Behaviour int    `json:"behaviour"` // index in the plan
	Name      string `json:"name"`
	Data      []byte `json:"data"`
}

// Ready is the answer to a job that can be carried out.
type Ready struct {
	ID string `json:"id"`
}

// Update is one line of a worker's answer to a run.
type Update struct {
	There  int           `json:"there"`
	Failed int           `json:"failed"`
	AtMS   int64         `json:"at_ms"`
	Done   *crowd.Result `json:"done,omitempty"`
	CPU    float64       `json:"cpu,omitempty"`        // with Done: processors used, mean
	Cores  int           `json:"processors,omitempty"` // with Done: that the machine has
	MemMB  float64       `json:"mem_mb,omitempty"`     // with Done
	Error  string        `json:"error,omitempty"`      // the run could not be carried out
}

// readJob reads a job. The error says which field is wrong.
func readJob(r io.Reader) (*Job, error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxJob+1))
	if err != nil {
		return nil, err
	}
	if len(data) > MaxJob {
		return nil, fmt.Errorf("a job of more than %d bytes", MaxJob)
	}
	var j Job
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&j); err != nil {
		return nil, fmt.Errorf("not a job: %w", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("not a job: something follows it")
	}
	return &j, j.check()
}

func (j *Job) check() error {
	switch {
	case j.Version != Version:
		return fmt.Errorf("version: %d, this worker speaks %d: use the same version of venued on all machines", j.Version, Version)
	case len(j.Plan) > MaxPlan:
		return fmt.Errorf("plan: %d bytes, at most %d are taken", len(j.Plan), MaxPlan)
	case j.Of < 1 || j.Of > MaxWorkers || j.Part < 0 || j.Part >= j.Of:
		return fmt.Errorf("part: %d of %d: want one from 0, of at most %d", j.Part, j.Of, MaxWorkers)
	case j.Every < time.Second || j.Every > time.Hour:
		return fmt.Errorf("every: slices of %v: want 1 s to 1 h", j.Every)
	case j.Loop != plan.Open && j.Loop != plan.Closed:
		return fmt.Errorf("loop: %q: want open or closed", j.Loop)
	case (j.Token == "") == (j.TokenURL == ""):
		return errors.New("token: give either a token or a token_url")
	case !slices.Contains(client.Lanes(), client.Lane(j.Lane)):
		return fmt.Errorf("lane: %q: want one of %v", j.Lane, client.Lanes())
	}
	if err := wire.CheckUser(j.user() + "-extra-1000000"); err != nil {
		return fmt.Errorf("prefix: %q: %w", j.Prefix, err)
	}
	if _, _, err := client.ParseLink(j.URL); err != nil {
		return fmt.Errorf("url: %w", err)
	}
	return nil
}

// user is what ids of this part's visitors begin with.
func (j *Job) user() string { return fmt.Sprintf("%s-w%d", j.Prefix, j.Part) }

// tokens is where this part's visitors have theirs from.
func (j *Job) tokens() (crowd.Tokens, error) {
	if j.TokenURL != "" {
		return crowd.Fetched(j.TokenURL)
	}
	return crowd.Reused(j.Token)
}

// unpack parses the plan and puts the files of its behaviours into a folder, under names of the worker's own.
func (j *Job) unpack(dir string) (*plan.Plan, error) {
	p, err := plan.Parse(j.Name, []byte(j.Plan))
	if err != nil {
		return nil, err
	}
	for _, f := range j.Files {
		if f.Behaviour < 0 || f.Behaviour >= len(p.Behaviours) {
			return nil, fmt.Errorf("files: one for behaviour %d, the plan has %d", f.Behaviour, len(p.Behaviours))
		}
		name := fmt.Sprintf("behaviour-%d%s", f.Behaviour, extension(f.Name))
		if err := os.WriteFile(filepath.Join(dir, name), f.Data, 0o600); err != nil {
			return nil, err
		}
		p.Behaviours[f.Behaviour].File = name
	}
	for i, b := range p.Behaviours {
		if b.File != "" && !slices.ContainsFunc(j.Files, func(f File) bool { return f.Behaviour == i }) {
			return nil, fmt.Errorf("files: none for load.behaviour[%d], %s", i, b.File)
		}
	}
	return p, nil
}

// extension is what says the kind of a behaviour's file.
func extension(name string) string {
	for _, e := range []string{".jsonl", ".vrec", ".toml"} {
		if strings.EqualFold(filepath.Ext(name), e) {
			return e
		}
	}
	return ".txt"
}

// Pack reads the files of a plan's behaviours, which are named relative to a folder.
func Pack(p *plan.Plan, dir string) ([]File, error) {
	var out []File
	size := 0
	for i, b := range p.Behaviours {
		if b.File == "" {
			continue
		}
		path := b.File
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if size += len(data); size > MaxJob/2 {
			return nil, fmt.Errorf("%s: the files of the behaviours have more than %d bytes together: workers are sent no more", path, MaxJob/2)
		}
		out = append(out, File{i, filepath.Base(path), data})
	}
	return out, nil
}

// check says what is wrong with an update, nil for nothing.
func (u *Update) check(every time.Duration) error {
	if u.Done == nil {
		return nil
	}
	if u.Done.Set == nil || u.Done.Visitors == nil {
		return errors.New("figures without a set or without visitors")
	}
	if err := u.Done.Set.Check(every); err != nil {
		return err
	}
	return u.Done.Visitors.Check()
}
