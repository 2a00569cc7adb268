package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/rules"
)

// ruleCheckCmd inspects a plugin.
type ruleCheckCmd struct {
	File    string            `arg:"" help:"The plugin, a .wasm file."`
	JSON    bool              `name:"json" help:"Print one JSON object: ok, problems [{code, message}], size_bytes, imports, memory_pages, fuel_per_event, compile_ms and more."`
	Class   string            `enum:"small,large" default:"large" help:"Class of limits that the venue grants: ${enum}."`
	Setting map[string]string `help:"A setting that the rule is started with; may be repeated." placeholder:"NAME=VALUE"`
}

// Help gives an example.
func (*ruleCheckCmd) Help() string {
	return "For example:\n\n    venued rule check lamp.wasm\n    venued rule check lamp.wasm --json | jq .fuel_per_event\n    venued rule check door.wasm --setting close_after_s=5"
}

// Run prints the report.
func (c *ruleCheckCmd) Run(ctx context.Context, out io.Writer, errOut stderr) error {
	report, err := inspect(ctx, c.File, rules.LoadOptions{Class: abi.Class(c.Class), Settings: settingsOf(c.Setting)}, errOut)
	if err != nil {
		return err
	}
	if c.JSON {
		enc := json.NewEncoder(out)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		if err := enc.Encode(report); err != nil {
			return err
		}
	} else {
		printReport(out, errOut, filepath.ToSlash(c.File), report)
	}
	if !report.OK {
		return errReported
	}
	return nil
}

// inspect reads a plugin and takes it through everything; a file that cannot be one is a report too.
func inspect(ctx context.Context, file string, o rules.LoadOptions, logs io.Writer) (*rules.Report, error) {
	wasm, err := readSome(file, abi.MaxModule, "a plugin")
	if err != nil {
		return &rules.Report{Problems: rules.Problems{{Code: rules.CodeMalformed, Message: err.Error()}}, Imports: []string{}}, nil
	}
	child, err := compiler()
	if err != nil {
		return nil, err
	}
	log := slog.New(slog.NewTextHandler(logs, &slog.HandlerOptions{Level: slog.LevelWarn}))
	return rules.Inspect(ctx, wasm, rules.InspectOptions{LoadOptions: o, Config: rules.Config{Compiler: child, Log: log}})
}

// settingsOf reads settings as TOML would: numbers, true and false, else texts.
func settingsOf(given map[string]string) map[string]any {
	settings := map[string]any{}
	for name, v := range given {
		if n, err := strconv.ParseInt(v, 10, 64); err == nil {
			settings[name] = n
		} else if f, err := strconv.ParseFloat(v, 64); err == nil {
			settings[name] = f
		} else if b, err := strconv.ParseBool(v); err == nil {
			settings[name] = b
		} else {
			settings[name] = v
		}
	}
	return settings
}

// printReport prints what a plugin is, or what is wrong with it.
func printReport(out, errOut io.Writer, file string, r *rules.Report) {
	if !r.OK {
		for i, p := range r.Problems {
			fmt.Fprintf(errOut, "%s: %s: %s\n", file, p.Code, p.Message)
			if last := i == len(r.Problems)-1; last || r.Problems[i+1].Code != p.Code {
				fmt.Fprintf(errOut, "  what to do: %s\n", todo(p.Code))
			}
		}
		fmt.Fprintf(errOut, "venued: %s\n", count(len(r.Problems), "problem"))
		return
	}
	m := r.Manifest
	fmt.Fprintf(out, "%s: good: %s %s, %d bytes, sha256 %s\n", file, m.Name, m.Version, r.SizeBytes, r.Digest)
	line := func(what, form string, args ...any) {
		fmt.Fprintf(out, "  %-9s %s\n", what, fmt.Sprintf(form, args...))
	}
	class := string(r.Class)
	if r.ClassReason != "" {
		class += `, which a venue grants with class = "large": ` + r.ClassReason
	}
	line("class", "%s", class)
	line("hears", "%s", list(m.Events))
	var views []string
	for _, v := range m.Views {
		views = append(views, v.Rows)
	}
	line("sees", "%s", list(views))
	line("does", "%s", list(m.Commands))
	line("imports", "%s", list(r.Imports))
	migrates := ""
	if r.Migrates {
		migrates = ", migrates from older ones"
	}
	line("state", "schema %d%s; %d bytes after the sample", m.Schema, migrates, r.StateBytes)
	line("memory", "%s at the start, %d bytes at most in the sample, limit %d", count(r.MemoryPages, "page"), r.PeakMemoryBytes, r.MemoryLimitBytes)
	line("fuel", "%.0f an event in the sample of %d, %d in the heaviest tick, limit %d", r.FuelPerEvent, r.SampleEvents, r.FuelPerTickMost, r.FuelLimit)
	line("compiled", "%.0f ms, %s", r.CompileMS, count(r.Functions, "function"))
}

// todo is what a plugin's author does about a problem.
func todo(code rules.Code) string {
	for _, c := range rules.Codes {
		if c.Code == code {
			return c.Todo
		}
	}
	return "See docs/rules.md, Refusals."
}

func list(names []string) string {
	if len(names) == 0 {
		return "nothing"
	}
	return strings.Join(names, ", ")
}
