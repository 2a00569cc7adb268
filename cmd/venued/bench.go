package main

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/venued/venued/sdk/bench/crowd"
)

// benchCmd measures this machine: one line a measurement.
type benchCmd struct {
	AOI       benchAOICmd       `cmd:"" name:"aoi" help:"What it costs to find out who sees whom in a crowd."`
	Codec     benchCodecCmd     `cmd:"" help:"How many bytes and nanoseconds a pose update takes, how fresh and how exact it arrives."`
	Transport benchTransportCmd `cmd:"" help:"What it costs to move everyone's poses, beside bare WebRTC and bare UDP."`
	Growth    benchGrowthCmd    `cmd:"" help:"How the cost of the whole path grows with the crowd."`
	ServeBare benchBareCmd      `cmd:"" hidden:"" help:"The other end of bench transport."`
}

// benchAOICmd measures interest.
type benchAOICmd struct {
	Users  int    `default:"1000" help:"How many people, 1 to 20000."`
	Spread string `default:"clustered" help:"uniform: evenly, 4 square metres each; clustered: in groups of about 100 that stand within some 6 m; onecell: all in one cell of 5 x 5 m."`
	JSON   bool   `name:"json" help:"Print the result as JSON."`
}

// Run measures and prints.
func (c *benchAOICmd) Run(stdout io.Writer) error {
	o := crowd.Options{Users: c.Users, Spread: c.Spread}
	if err := o.Check(); err != nil {
		return usageError{err}
	}
	r, err := crowd.Run(o)
	if err != nil {
		return err
	}
	if c.JSON {
		return printJSON(stdout, r)
	}
	fmt.Fprintf(stdout, "%d people, %s; each sees %.0f\n", r.Users, r.Spread, r.Visible)
	fmt.Fprintf(stdout, "interest of all: %.3f ms a tick on one core, %.0f ns an avatar, %.1f allocations a tick\n", r.MsPerTick, r.NsPerAvatar, r.AllocsPerTick)
	fmt.Fprintf(stdout, "naive twin: %.3f ms a tick, %.1f times as long\n", r.NaiveMs, r.NaiveMs/r.MsPerTick)
	_, err = fmt.Fprintf(stdout, "longest wait of an avatar in view for its next update: %.2f s\n", r.FarRefreshS)
	return err
}

func printJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
