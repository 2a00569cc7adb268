package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"text/tabwriter"
	"time"

	"github.com/venued/venued/host/recording"
	"github.com/venued/venued/sdk/admin"
)

// recordCmd holds what is done with recordings of regions.
type recordCmd struct {
	Start  recordStartCmd  `cmd:"" help:"Record a region from now on."`
	Stop   recordStopCmd   `cmd:"" help:"End a region's recording."`
	List   recordListCmd   `cmd:"" help:"List a host's recordings, and what its regions record now."`
	Fetch  recordFetchCmd  `cmd:"" help:"Get a recording's file from a host."`
	Delete recordDeleteCmd `cmd:"" help:"Delete a recording on a host."`
	Info   recordInfoCmd   `cmd:"" help:"Read a recording's file: what it is of, and whether it is whole."`
}

// recordStartCmd starts a recording.
type recordStartCmd struct {
	consoleFlags
	Region string        `arg:"" optional:"" help:"The region. Default: the venue's only one."`
	Time   time.Duration `default:"10m" help:"For how long at most, such as 90s or 1h."`
	MB     int64         `name:"mb" default:"256" help:"How large at most, MB." placeholder:"MB"`
}

// Help gives an example.
func (*recordStartCmd) Help() string {
	return `For example:

    venued record start
    venued record start hall-0 --time 1h --mb 1000

People's ids and display names are not in a recording; what they say to rules is. docs/recordings.md has all of it.`
}

// Run starts it.
func (c *recordStartCmd) Run(ctx context.Context, out io.Writer, errOut stderr) error {
	if c.Time < time.Second || c.MB < 1 {
		return usagef("--time must be at least 1s and --mb at least 1")
	}
	client, where, err := c.connect(errOut)
	if err != nil {
		return err
	}
	region, err := regionOr(ctx, client, where, c.Region)
	if err != nil {
		return err
	}
	seconds, bytes := int(c.Time.Seconds()), max(1<<20, c.MB*1_000_000)
	r, err := client.StartRecordingWithResponse(ctx, region, admin.RecordingLimits{Seconds: &seconds, Bytes: &bytes})
	if err := answered(where, r, err); err != nil {
		return err
	}
	fmt.Fprintf(out, "recording %s as %s, for %s and %d MB at most\n", region, text(r.JSON201.Name), c.Time, c.MB)
	return nil
}

// regionOr returns the region that is meant.
func regionOr(ctx context.Context, client *admin.ClientWithResponses, where, name string) (string, error) {
	if name != "" {
		return name, nil
	}
	r, err := client.GetRegionsWithResponse(ctx)
	if err := answered(where, r, err); err != nil {
		return "", err
	}
	var names []string
	for i := range r.JSON200.Regions {
		names = append(names, r.JSON200.Regions[i].Name)
	}
	if len(names) != 1 {
		return "", usagef("which region? The venue has %s", list(names))
	}
	return names[0], nil
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func number(n *int64) int64 {
	if n == nil {
		return 0
	}
	return *n
}

// recordStopCmd ends a recording.
type recordStopCmd struct {
	consoleFlags
	Region string `arg:"" optional:"" help:"The region. Default: the venue's only one."`
	Fetch  bool   `help:"Get its file too, into the working folder."`
}

// Help gives an example.
func (*recordStopCmd) Help() string {
	return "For example:\n\n    venued record stop --fetch\n    venued record stop hall-0"
}

// Run ends it.
func (c *recordStopCmd) Run(ctx context.Context, out io.Writer, errOut stderr) error {
	client, where, err := c.connect(errOut)
	if err != nil {
		return err
	}
	region, err := regionOr(ctx, client, where, c.Region)
	if err != nil {
		return err
	}
	r, err := client.StopRecordingWithResponse(ctx, region)
	if err := answered(where, r, err); err != nil {
		return err
	}
	name := text(r.JSON200.Name)
	fmt.Fprintf(out, "%s: %d ticks, %d bytes\n", name, number(r.JSON200.Ticks), number(r.JSON200.Bytes))
	if !c.Fetch {
		return nil
	}
	return fetch(ctx, client, where, name, name, out)
}

// recordListCmd lists recordings.
type recordListCmd struct {
	consoleFlags
	JSON bool `name:"json" help:"Print what the console answers."`
}

// Help gives an example.
func (*recordListCmd) Help() string { return "For example:\n\n    venued record list" }

// Run prints them.
func (c *recordListCmd) Run(ctx context.Context, out io.Writer, errOut stderr) error {
	client, where, err := c.connect(errOut)
	if err != nil {
		return err
	}
	r, err := client.GetRecordingsWithResponse(ctx)
	if err := answered(where, r, err); err != nil {
		return err
	}
	if c.JSON {
		enc := json.NewEncoder(out)
		enc.SetIndent("", "  ")
		return enc.Encode(r.JSON200)
	}
	if len(r.JSON200.Recordings) == 0 {
		fmt.Fprintln(out, "no recordings")
		return nil
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "NAME\tBYTES\tWRITTEN\tSTATE")
	for i := range r.JSON200.Recordings {
		f := &r.JSON200.Recordings[i]
		state := ""
		if f.Running {
			state = "running"
		}
		for j := range r.JSON200.Regions {
			if g := &r.JSON200.Regions[j]; text(g.Name) == f.Name && text(g.Ended) != "" {
				state = "ended: " + *g.Ended
			}
		}
		fmt.Fprintf(table, "%s\t%d\t%s\t%s\n", f.Name, f.Bytes, f.Time.Format(time.DateTime), state)
	}
	return table.Flush()
}

// recordFetchCmd gets a recording.
type recordFetchCmd struct {
	consoleFlags
	Name string `arg:"" help:"The recording: venued record list has their names."`
	File string `short:"o" help:"File to write. Default: its name, in the working folder. A file that is there is not replaced." placeholder:"FILE"`
}

// Help gives an example.
func (*recordFetchCmd) Help() string {
	return "For example:\n\n    venued record fetch hall-20261130-120000.vrec -o hall.vrec"
}

// Run gets it.
func (c *recordFetchCmd) Run(ctx context.Context, out io.Writer, errOut stderr) error {
	client, where, err := c.connect(errOut)
	if err != nil {
		return err
	}
	file := c.File
	if file == "" {
		file = filepath.Base(c.Name)
	}
	return fetch(ctx, client, where, c.Name, file, out)
}

// fetch writes a recording into a file that is not there yet.
func fetch(ctx context.Context, client *admin.ClientWithResponses, where, name, file string, out io.Writer) (err error) {
	r, err := client.ClientInterface.GetRecording(ctx, name)
	if err != nil {
		return answered(where, nil, err)
	}
	defer r.Body.Close()
	if r.StatusCode != http.StatusOK {
		parsed, err := admin.ParseGetRecordingResponse(r)
		return answered(where, parsed, err)
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	n, err := io.Copy(f, r.Body)
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(fmt.Errorf("%s was not fetched: %w", name, err), os.Remove(file))
	}
	fmt.Fprintf(out, "%s: %d bytes\n", file, n)
	return nil
}

// recordDeleteCmd deletes a recording.
type recordDeleteCmd struct {
	consoleFlags
	Name string `arg:"" help:"The recording."`
}

// Help gives an example.
func (*recordDeleteCmd) Help() string {
	return "For example:\n\n    venued record delete hall-20261130-120000.vrec"
}

// Run deletes it.
func (c *recordDeleteCmd) Run(ctx context.Context, out io.Writer, errOut stderr) error {
	client, where, err := c.connect(errOut)
	if err != nil {
		return err
	}
	r, err := client.DeleteRecordingWithResponse(ctx, c.Name)
	if err := answered(where, r, err); err != nil {
		return err
	}
	fmt.Fprintln(out, r.JSON200.Message)
	return nil
}

// recordInfoCmd reads a recording.
type recordInfoCmd struct {
	File string `arg:"" help:"The recording, a .vrec file."`
}

// Help gives an example.
func (*recordInfoCmd) Help() string { return "For example:\n\n    venued record info hall.vrec" }

// Run reads the file to its end.
func (c *recordInfoCmd) Run(out io.Writer, errOut stderr) error {
	file, err := os.Open(c.File)
	if err != nil {
		return err
	}
	defer file.Close()
	bad := func(err error) error {
		fmt.Fprintf(errOut, "venued: %s: %v\n", filepath.ToSlash(c.File), err)
		return errReported
	}
	rd, err := recording.NewReader(file)
	if err != nil {
		return bad(err)
	}
	defer rd.Close()
	h := rd.Header()
	fmt.Fprintf(out, "venue %s, region %s (%d Hz), recorded by venued %s on %s\n", h.VenueID, h.Region, h.TickHz, h.Host,
		time.Unix(h.Began, 0).UTC().Format("2006-01-02 15:04:05 UTC"))
	for i := range h.Rules {
		if r := &h.Rules[i]; r.Manifest != nil {
			fmt.Fprintf(out, "rule %s: %s %s, sha256 %s\n", r.Name, r.Manifest.Name, r.Manifest.Version, r.Digest)
		}
	}
	tracks, err := rd.Tracks()
	samples := 0
	for i := range tracks {
		samples += len(tracks[i].Samples)
	}
	n, tick := rd.Frames()
	fmt.Fprintf(out, "%s (%.1f s) after tick %d, %s, %s\n", count(int(n), "tick"), float64(tick-h.Start.Tick)/float64(h.TickHz), h.Start.Tick,
		count(len(tracks), "session"), count(samples, "pose sample"))
	if err != nil {
		return bad(err)
	}
	fmt.Fprintf(out, "ended: %s\n", rd.End().Reason)
	return nil
}
