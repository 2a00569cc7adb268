package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	client "github.com/venued/venued/sdk/go"
	"github.com/venued/venued/sdk/loadgen"
)

// botsCmd sends headless visitors into a venue.
type botsCmd struct {
	URL       string        `name:"url" required:"" help:"The venue's address, or the join link that 'venued serve' prints."`
	Token     string        `env:"VENUED_TOKEN" help:"Join token, when the address is no join link. More than one user needs a development token ('venued token --many')."`
	Users     int           `default:"20" help:"How many visitors, 1 to 2000. One processor carries about a hundred."`
	Duration  time.Duration `default:"30s" help:"How long all of them stay, after the ramp."`
	Ramp      time.Duration `help:"Over how long they come in. Default: 50ms a user."`
	Seed      *uint64       `help:"Seed of all that they decide. Default: a random one, which the report names."`
	Lane      string        `default:"webrtc" help:"webrtc (UDP), tcp (ICE-TCP), ws (WebSocket) or auto."`
	DropEvery time.Duration `default:"45s" help:"How often a visitor loses its connection and resumes, on average; 0: never."`
	JSON      bool          `name:"json" help:"Print the report as JSON."`
}

// errBots is the end of a run that reported a fault of its own.
var errBots = errors.New("not all is well: see join_failed, grabs.double_held and join_errors of the report")

// Run sends the visitors and prints what they measured.
func (c *botsCmd) Run(ctx context.Context, stdout io.Writer, errs stderr) error {
	seed := rand.Uint64()
	if c.Seed != nil {
		seed = *c.Seed
	}
	o := loadgen.Options{
		URL: c.URL, Token: c.Token, Users: c.Users, Duration: c.Duration, Ramp: c.Ramp,
		Seed: seed, Lane: client.Lane(c.Lane), DropEvery: c.DropEvery, Progress: progress(errs.Writer),
	}
	if err := o.Check(); err != nil {
		return usageError{err}
	}
	report, err := loadgen.Run(ctx, o)
	if err != nil {
		return err
	}
	if c.JSON {
		enc := json.NewEncoder(stdout)
		enc.SetIndent("", "  ")
		err = enc.Encode(report)
	} else {
		report.Text(stdout)
	}
	if err == nil && !report.OK() {
		err = errBots
	}
	return err
}

// progress returns what shows a run's progress: a bar on a terminal, a line every ten seconds
// elsewhere.
func progress(w io.Writer) func(loadgen.Progress) {
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return progressBar(w)
	}
	next := time.Duration(0)
	return func(p loadgen.Progress) {
		if p.Elapsed < next && p.Elapsed < p.Total {
			return
		}
		next = p.Elapsed + 10*time.Second
		fmt.Fprintf(w, "bots: %d of %d joined, %d failed, %s of %s\n",
			p.Joined, p.Users, p.Failed, p.Elapsed.Round(time.Second), p.Total.Round(time.Second))
	}
}

func progressBar(w io.Writer) func(loadgen.Progress) {
	var bar *progressbar.ProgressBar
	return func(p loadgen.Progress) {
		if bar == nil {
			bar = progressbar.NewOptions64(p.Total.Milliseconds(),
				progressbar.OptionSetWriter(w), progressbar.OptionClearOnFinish(),
				progressbar.OptionSetPredictTime(false), progressbar.OptionSetWidth(30))
		}
		bar.Describe(fmt.Sprintf("%d of %d joined, %d failed, %s left", p.Joined, p.Users, p.Failed, (p.Total - p.Elapsed).Round(time.Second)))
		_ = bar.Set64(p.Elapsed.Milliseconds()) // a bar that cannot be drawn is no reason to stop
	}
}
