package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/venued/venued"
	"github.com/venued/venued/host/config"
	"github.com/venued/venued/host/rulebook"
	"github.com/venued/venued/plugins"
	"github.com/venued/venued/venues"
)

// checkCmd reads a configuration and says what is wrong with it.
type checkCmd struct {
	Config string `arg:"" optional:"" help:"Configuration file. Default: venue.example.toml in this folder, or the one built in."`
	JSON   bool   `name:"json" help:"Print one JSON object: ok, file, problems [{file, line, path, msg, hint}], and what the venue has."`
}

// errReported ends the program with 2 when everything has been said already.
var errReported = errors.New("reported")

// checkResult is what check --json prints.
type checkResult struct {
	OK       bool             `json:"ok"`
	File     string           `json:"file"`
	Problems []venues.Problem `json:"problems"` // by file and line; empty when ok
	Venue    *checkSummary    `json:"venue,omitempty"`
}

// checkSummary counts what a venue has.
type checkSummary struct {
	ID      string   `json:"id"`
	Name    string   `json:"name"`
	Floors  int      `json:"floors"`
	Rooms   int      `json:"rooms"`
	Spawns  int      `json:"spawns"`
	Kinds   int      `json:"kinds"`
	Objects int      `json:"objects"`
	Zones   int      `json:"zones"`
	Doors   int      `json:"doors"`
	Rules   []string `json:"rules"`
	Regions []string `json:"regions"`
}

// Run prints a line about what was read, or every problem, one a line.
func (c *checkCmd) Run(out io.Writer, errOut stderr) error {
	cfg, file, err := loadConfig(c.Config, config.Options{})
	problems, isProblems := errors.AsType[venues.Problems](err)
	if err != nil && !isProblems {
		problems = venues.Problems{unreadable(file, err)}
	}
	if c.JSON {
		return printCheck(out, file, cfg, problems)
	}
	if len(problems) > 0 {
		printProblems(errOut, problems)
		return errReported
	}
	s := summary(cfg.Venue)
	fmt.Fprintf(out, "%s: good: venue %s (%q) with %s, %s, %s, %s, %s and %s\n", file, s.ID, s.Name,
		count(s.Floors, "floor"), count(s.Rooms, "room"), count(s.Objects, "object"), count(s.Doors, "door"),
		count(len(s.Rules), "rule"), count(len(s.Regions), "region"))
	return nil
}

// unreadable is the problem of a file that could not be read at all.
func unreadable(file string, err error) venues.Problem {
	if pathErr, ok := errors.AsType[*fs.PathError](err); ok {
		err = pathErr.Err
	}
	return venues.Problem{File: file, Msg: fmt.Sprintf("cannot be read: %v", err)}
}

func printCheck(out io.Writer, file string, cfg *config.Config, problems venues.Problems) error {
	res := checkResult{OK: len(problems) == 0, File: file, Problems: []venues.Problem{}}
	if res.OK {
		res.Venue = summary(cfg.Venue)
	} else {
		res.Problems = problems
	}
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(res); err != nil {
		return err
	}
	if !res.OK {
		return errReported
	}
	return nil
}

// printProblems prints problems one a line, and how many there are.
func printProblems(w io.Writer, problems venues.Problems) {
	for _, p := range problems {
		fmt.Fprintln(w, p)
	}
	fmt.Fprintf(w, "venued: %s\n", count(len(problems), "problem"))
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func summary(v *venues.Venue) *checkSummary {
	s := &checkSummary{
		ID: v.ID, Name: v.Name, Floors: len(v.Floors), Rooms: len(v.Rooms), Spawns: len(v.Spawns), Kinds: len(v.Kinds),
		Objects: len(v.Objects), Zones: len(v.Zones), Doors: len(v.Doors), Rules: []string{}, Regions: []string{},
	}
	for i := range v.Rules {
		s.Rules = append(s.Rules, v.Rules[i].Name)
	}
	for i := range v.Regions {
		s.Regions = append(s.Regions, v.Regions[i].Name)
	}
	return s
}

// loadConfig reads a configuration: the file at path, or with path "" venue.example.toml in
// the working folder, or the built-in copy of it when there is none. It returns what
// the file is called in messages. The modules of its rules are looked into as well, as far as they are there.
func loadConfig(path string, opt config.Options) (cfg *config.Config, file string, err error) {
	opt.Shipped = plugins.Names()
	defer func() {
		if err == nil {
			err = rulebook.CheckFile(cfg.Venue).Err()
		}
	}()
	if path == "" {
		_, err := os.Stat(venued.ExampleName)
		if errors.Is(err, fs.ErrNotExist) {
			file = "built-in " + venued.ExampleName
			cfg, err = config.Parse(file, venued.Example, opt)
			return cfg, file, err
		}
		path = venued.ExampleName
	}
	cfg, err = config.Load(path, opt)
	return cfg, path, err
}
