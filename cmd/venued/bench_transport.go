package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/venued/venued/sdk/bench/transport"
)

// benchTransportCmd measures the way from one person's hand to another's eye.
type benchTransportCmd struct {
	Users   int  `default:"100" help:"How many clients, 1 to 1000. They run in this process: clients and server share the machine."`
	Seconds int  `default:"10" help:"How long each of the three is measured, once everyone is there."`
	Runs    int  `default:"1" help:"How often all of it is measured, 1 to 99: other work on the machine moves single figures by a quarter. The run with the median ratio is printed."`
	JSON    bool `name:"json" help:"Print the result as JSON."`
}

// Run measures and prints.
func (c *benchTransportCmd) Run(ctx context.Context, stdout io.Writer, errs stderr) error {
	if c.Runs < 1 {
		return usagef("--runs %d: want 1 to %d", c.Runs, transport.MaxRuns)
	}
	o, err := transportOptions(c.Users, c.Seconds, c.Runs, errs)
	if err != nil {
		return err
	}
	r, err := transport.Run(ctx, o)
	if err != nil {
		return err
	}
	if c.JSON {
		return printJSON(stdout, r)
	}
	p := &r.Packets
	fmt.Fprintf(stdout, "%d of %d joined, %.1f handshakes a second; each sends %d bytes %.0f times a second and gets %d bytes %.1f times (%.0f kbit/s)\n",
		r.Joined, r.Users, r.Handshakes, p.UpBytes, p.UpPerS, p.DownBytes, p.DownPerS, p.KbpsDown)
	fmt.Fprintf(stdout, "CPU seconds of the server in %.0f s: bare UDP %.2f, bare WebRTC %.2f, venued %.2f\n", r.SecondsEach, r.UDP, r.Raw, r.Venued)
	fmt.Fprintf(stdout, "venued takes %.2f times bare WebRTC, %.2f times bare UDP\n", r.Ratio, r.UDPRatio)
	if n := len(r.Ratios); n > 1 {
		fmt.Fprintf(stdout, "this is the middle one of %d runs: %.2f to %.2f times bare WebRTC\n", n, r.Ratios[0], r.Ratios[n-1])
	}
	fmt.Fprintf(stdout, "pose age p50/p95/p99: %.1f / %.1f / %.1f ms; lost frames %.2f %%; %d disconnects\n",
		r.PoseAge.P50, r.PoseAge.P95, r.PoseAge.P99, 100*r.Lost, r.Disconnects)
	_, err = fmt.Fprintf(stdout, "memory: %.0f KB a session\n", r.MemoryKB)
	return err
}

// benchGrowthCmd measures how the cost grows with the crowd.
type benchGrowthCmd struct {
	Seconds int  `default:"8" help:"How long each crowd is measured, once everyone is there."`
	JSON    bool `name:"json" help:"Print the result as JSON."`
}

// Run measures and prints.
func (c *benchGrowthCmd) Run(ctx context.Context, stdout io.Writer, errs stderr) error {
	o, err := transportOptions(1, c.Seconds, 1, errs)
	if err != nil {
		return err
	}
	g, err := transport.MeasureGrowth(ctx, o)
	if err != nil {
		return err
	}
	if c.JSON {
		return printJSON(stdout, g)
	}
	fmt.Fprintf(stdout, "%7s %7s %7s %12s %10s %20s %8s\n", "users", "joined", "cores", "ms/user/s", "kbit/s", "pose age p50/p95", "KB each")
	for _, r := range g.Rows {
		fmt.Fprintf(stdout, "%7d %7d %7.2f %12.2f %10.0f %11.1f / %5.1f %8.0f\n",
			r.Users, r.Joined, r.Cores, r.PerUser, r.KbpsDown, r.PoseAge.P50, r.PoseAge.P95, r.MemoryKB)
	}
	_, err = fmt.Fprintf(stdout, "the cost grows with the %.2fth power of the users\n", g.Exponent)
	return err
}

func transportOptions(users, seconds, runs int, errs stderr) (transport.Options, error) {
	program, err := os.Executable()
	if err != nil {
		return transport.Options{}, err
	}
	o := transport.Options{
		Users: users, Runs: runs, Duration: time.Duration(seconds) * time.Second, Program: program,
		Progress: func(what string) { fmt.Fprintf(errs, "bench: %s\n", what) },
	}
	if err := o.Check(); err != nil {
		return o, usageError{err}
	}
	return o, nil
}

// benchBareCmd is the child of benchTransportCmd.
type benchBareCmd struct {
	Kind  string  `arg:"" enum:"udp,webrtc"`
	Bytes int     `arg:""`
	PerS  float64 `arg:""`
}

// Run serves until the process is told to end.
func (c *benchBareCmd) Run(ctx context.Context, stdout io.Writer) error {
	if c.Bytes < 1 || c.Bytes > 1200 || c.PerS < 1 || c.PerS > 1000 {
		return usagef("bytes: 1 to 1200; per second: 1 to 1000")
	}
	return transport.Serve(ctx, c.Kind, c.Bytes, c.PerS, stdout)
}
