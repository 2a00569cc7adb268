package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/venued/venued/sdk/admin"
	"github.com/venued/venued/sdk/rules/dev"
	"github.com/venued/venued/sdk/rules/project"
)

// ruleDevCmd builds and swaps at every change.
type ruleDevCmd struct {
	consoleFlags
	Dir  string `arg:"" optional:"" default:"." help:"Folder of the project."`
	Rule string `help:"The rule of the venue to swap it in for. Default: the one of the project's name." placeholder:"RULE"`
}

// Help gives an example.
func (*ruleDevCmd) Help() string {
	return "For example:\n\n    venued serve room.toml        # in one terminal; room.toml names the rule\n    venued rule dev lamp          # in another\n\n" +
		"Each build is uploaded as a version of its own (1.2.0-dev.TIME) and activated in every region; what it wants beyond what ran before is said and\n" +
		"granted. What fails to build or to load changes nothing."
}

// Run watches until Ctrl-C.
func (c *ruleDevCmd) Run(ctx context.Context, out io.Writer, errOut stderr) error {
	p, err := project.Read(c.Dir)
	if err != nil {
		return err
	}
	if c.Rule == "" {
		c.Rule = p.Name
	}
	if err := checkRuleName(c.Rule); err != nil {
		return err
	}
	client, where, err := c.connect(errOut)
	if err != nil {
		return err
	}
	r, err := client.GetRuleWithResponse(ctx, c.Rule)
	err = answered(where, r, err)
	f, refused := errors.AsType[*admin.Fault](err)
	if unknown := refused && f.Code == admin.FaultCodeNotFound; err != nil && !unknown {
		return err
	} else if unknown || !r.JSON200.InVenue {
		return fmt.Errorf("the venue at %s has no rule %s: name it in its file, with [[rule]] plugin = %q, and start it again", where, c.Rule, p.Output)
	}
	s := &devSwap{flags: &c.consoleFlags, rule: c.Rule, out: out}
	builder := &project.Builder{Out: errOut, Resident: true}
	l := &dev.Loop{Project: p, Builder: builder, Check: s.check, Swap: s.swap, Out: out}
	fmt.Fprintf(out, "watching %s for %s; Ctrl-C ends it\n", p.Dir, where)
	return errors.Join(l.Run(ctx), builder.Close())
}

// devSwap uploads builds and activates them. Those that nothing runs any more it deletes.
type devSwap struct {
	flags *consoleFlags
	rule  string
	out   io.Writer
	own   []string // digests of what it uploaded and did not delete, oldest first
	last  int64
}

// check sees only what costs nothing: the host inspects each upload.
func (s *devSwap) check(_ context.Context, wasm []byte) error {
	_, err := manifestOf(wasm)
	return err
}

// swap uploads a build under a version number of its own, and activates it.
func (s *devSwap) swap(ctx context.Context, wasm []byte) (string, error) {
	s.last = max(s.last+1, time.Now().UnixMilli())
	wasm, err := dev.Stamp(wasm, s.last)
	if err != nil {
		return "", err
	}
	// Found anew each time: a host that was started again may be somewhere else.
	client, where, err := s.flags.connect(io.Discard)
	if err != nil {
		return "", err
	}
	u, err := upload(ctx, client, where, s.rule, wasm, nil)
	if err != nil {
		return "", err
	}
	s.own = append(s.own, u.Version.Digest)
	want := admin.Activate{Digest: &u.Version.Digest}
	done, err := activate(ctx, client, where, s.rule, want)
	if f, ok := errors.AsType[*admin.Fault](err); ok && f.Needs != nil {
		for _, n := range *f.Needs {
			fmt.Fprintf(s.out, "  new, and granted: %s\n", n)
		}
		want.Approve = new(true)
		done, err = activate(ctx, client, where, s.rule, want)
	}
	if err != nil {
		return "", err
	}
	s.tidy(ctx, client)
	for i := range done.Regions {
		if r := &done.Regions[i]; !r.Ok {
			return "", fmt.Errorf("%s: %s", r.Region, outcome(r))
		}
	}
	return fmt.Sprintf("%s runs in %s", u.Version.Version, count(len(done.Regions), "region")), nil
}

// tidy deletes builds that no region runs or would go back to; the host refuses to delete those.
func (s *devSwap) tidy(ctx context.Context, client *admin.ClientWithResponses) {
	if len(s.own) < 3 {
		return
	}
	old := s.own[:len(s.own)-2]
	s.own = slices.DeleteFunc(s.own, func(digest string) bool {
		if !slices.Contains(old, digest) {
			return false
		}
		r, err := client.DeleteRuleWithResponse(ctx, s.rule, digest)
		return admin.Answered(r, err) == nil
	})
}
