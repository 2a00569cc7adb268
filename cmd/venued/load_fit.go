package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/venued/venued/sdk/loadgen/behaviour"
)

// loadFitCmd measures a model of visitors from a recording.
type loadFitCmd struct {
	Recording string `arg:"" help:"Recording (.vrec) or file of poses (.jsonl)."`
	Out       string `short:"o" placeholder:"FILE" help:"Write the model there. Default: standard output."`
	Name      string `help:"Name of the model. Default: that of the recording." placeholder:"NAME"`
}

// Help gives an example.
func (*loadFitCmd) Help() string {
	return "For example:\n\n    venued load fit tuesday.vrec -o visitors.toml\n\nand in the plan: [[load.behaviour]] with kind = \"model\" and file = \"visitors.toml\"."
}

// Run measures, and writes.
func (c *loadFitCmd) Run(stdout io.Writer, errs stderr) error {
	clips, err := behaviour.ReadClips(c.Recording, "")
	if err != nil {
		return usageError{err}
	}
	name := c.Name
	if name == "" {
		name = strings.TrimSuffix(filepath.Base(c.Recording), filepath.Ext(c.Recording))
	}
	m, err := behaviour.Fit(name, clips)
	if err != nil {
		return usageError{fmt.Errorf("%s: %w", c.Recording, err)}
	}
	acts := 0
	for i := range clips {
		acts += len(clips[i].Acts)
	}
	var text bytes.Buffer
	if err := m.Write(&text); err != nil {
		return err
	}
	fmt.Fprintf(errs, "venued: %d sessions with %d acts: %d states of moving, %d of doing\n", len(clips), acts, len(m.Moves), len(m.Acts))
	if c.Out == "" {
		_, err = stdout.Write(text.Bytes())
		return err
	}
	return os.WriteFile(c.Out, text.Bytes(), 0o644)
}
