package main

import (
	"fmt"
	"io"
	"os"
	"text/tabwriter"

	"github.com/venued/venued/sdk/bench/codec"
)

// benchCodecCmd measures the pose codec.
type benchCodecCmd struct {
	Input   string `placeholder:"FILE.jsonl" help:"Recorded poses, an object a line: u (user), t (milliseconds), head, left and right, each with p (metres) and q (x, y, z, w). Without it, made-up motion of many kinds."`
	Seconds int    `default:"30" help:"How long each made-up person is watched, 2 to 600."`
	Seed    uint64 `default:"1" help:"Of the made-up motion."`
	JSON    bool   `name:"json" help:"Print the result as JSON."`
}

// Run measures and prints.
func (c *benchCodecCmd) Run(stdout io.Writer) error {
	clips, err := c.clips()
	if err != nil {
		return err
	}
	r, err := codec.Run(clips)
	if err != nil {
		return err
	}
	if c.JSON {
		return printJSON(stdout, r)
	}
	samples := 0
	for _, clip := range clips {
		samples += len(clip)
	}
	fmt.Fprintf(stdout, "%d clips, %d samples; bytes of an update of head and two hands, without its handle\n\n", len(clips), samples)
	w := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "codec\tlattice mm\tround trip ms\tloss %\tbytes\tp95\tin full\tfresh %\terror mm\tmost\terror deg\tmost\tencode ns\tdecode ns\t")
	for _, row := range r.Rows {
		fmt.Fprintf(w, "%s\t%g\t%g\t%g\t%.2f\t%.2f\t%.1f\t%.2f\t%.2f\t%.2f\t%.3f\t%.3f\t%.0f\t%.0f\t\n",
			row.Codec, row.LatticeMM, row.RTTMS, 100*row.Loss, row.BytesMean, row.BytesP95, row.KeyBytes, 100*row.FreshRatio,
			row.ErrMMMean, row.ErrMMMax, row.ErrDegMean, row.ErrDegMax, row.EncNS, row.DecNS)
	}
	return w.Flush()
}

func (c *benchCodecCmd) clips() ([]codec.Clip, error) {
	if c.Input == "" {
		if c.Seconds < 2 || c.Seconds > 600 {
			return nil, usagef("--seconds %d: want 2 to 600", c.Seconds)
		}
		return codec.Made(c.Seed, c.Seconds), nil
	}
	f, err := os.Open(c.Input)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // only read
	clips, err := codec.Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Input, err)
	}
	return clips, nil
}
