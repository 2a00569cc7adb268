package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/console"
	"github.com/venued/venued/sdk/admin"
	"github.com/venued/venued/sdk/rules/signing"
)

// consoleFlags say which host is meant.
type consoleFlags struct {
	To        string `env:"VENUED_ADMIN_URL" help:"Address of the host. Default: one that runs here, in this folder or one above." placeholder:"URL"`
	TokenFile string `help:"File with the admin token, or a rule key's. Default: VENUED_ADMIN_TOKEN, or that of the host found here." placeholder:"FILE"`
	Token     string `env:"VENUED_ADMIN_TOKEN" hidden:"" help:"The token itself: others on this machine could read it from the command line."`
	Data      string `help:"Folder of the data of a host that runs on this machine." placeholder:"DIR"`
}

// connect finds the host and makes a client of its console. where is its address.
func (f *consoleFlags) connect(errOut io.Writer) (c *admin.ClientWithResponses, where string, err error) {
	l := &local{URL: f.To}
	if f.To == "" {
		var file string
		if l, file, err = findLocal(f.Data); err != nil {
			return nil, "", err
		}
		where = " (from " + file + ")"
	} else if f.Data != "" {
		return nil, "", usagef("--to and --data name two hosts: give one")
	}
	token := f.Token
	switch {
	case f.TokenFile != "":
		token, err = console.ReadToken(f.TokenFile)
	case token == "" && l.TokenFile != "":
		token, err = console.ReadToken(l.TokenFile)
	case token == "":
		return nil, "", usagef("which token? --token-file names its file, VENUED_ADMIN_TOKEN holds it; venued serve prints where the admin's is")
	}
	if err != nil {
		return nil, "", err
	}
	if c, err = admin.Connect(l.URL, token); err != nil {
		return nil, "", usageError{err}
	}
	if u, err := url.Parse(l.URL); err == nil && u.Scheme == "http" && !loopback(u.Hostname()) {
		fmt.Fprintf(errOut, "venued: %s is not encrypted: whoever is on the way reads the token; use https\n", l.URL)
	}
	return c, l.URL + where, nil
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// answered is admin.Answered, with the address that was asked.
func answered(where string, r admin.Response, err error) error {
	if err := admin.Answered(r, err); err != nil {
		if _, ok := errors.AsType[*admin.Fault](err); ok {
			return err
		}
		return fmt.Errorf("%s: %w", where, err)
	}
	return nil
}

// ruleUploadCmd uploads a plugin.
type ruleUploadCmd struct {
	consoleFlags
	File     string `arg:"" help:"The plugin, a .wasm file."`
	Name     string `help:"Name to upload it under. Default: the one in its manifest." placeholder:"NAME"`
	Key      string `help:"Secret key to sign it with. Default: the signature in FILE.sig, if there is one." placeholder:"FILE"`
	Activate bool   `help:"Run it at once."`
	activation
}

// activation is how a version is put to use.
type activation struct {
	Regions []string `help:"Only in these regions. Default: all." placeholder:"REGION,..."`
	Approve bool     `help:"Grant what the version wants beyond what runs now. Look at what that is first: without, it is said and refused."`
	Faults  int      `help:"After so many failed ticks in its first minute a region goes back by itself. Default: 3." placeholder:"N"`
}

// Help gives an example.
func (*ruleUploadCmd) Help() string {
	return "For example:\n\n    venued rule upload lamp.wasm --activate\n    venued rule upload lamp.wasm --to https://venue.example --token-file ann.token --key ann.key"
}

// Run uploads, and activates what it uploaded if that is wanted.
func (c *ruleUploadCmd) Run(ctx context.Context, out io.Writer, errOut stderr) error {
	if !c.Activate && (len(c.Regions) > 0 || c.Approve || c.Faults != 0) {
		return usagef("--regions, --approve and --faults belong to --activate")
	}
	wasm, err := readSome(c.File, abi.MaxModule, "a plugin")
	if err != nil {
		return err
	}
	name := c.Name
	if name == "" {
		if name, err = nameOf(c.File, wasm); err != nil {
			return err
		}
	}
	if err := checkRuleName(name); err != nil {
		return err
	}
	s, err := signatureOf(c.File, wasm, c.Key)
	if err != nil {
		return err
	}
	client, where, err := c.connect(errOut)
	if err != nil {
		return err
	}
	u, err := upload(ctx, client, where, name, wasm, s)
	if err != nil {
		return err
	}
	fmt.Fprintln(out, u.Message)
	if !c.Activate {
		return nil
	}
	want := c.want()
	want.Digest = &u.Version.Digest
	a, err := activate(ctx, client, where, name, want)
	return printActivated(out, a, err)
}

// nameOf returns the name in a plugin's manifest.
func nameOf(file string, wasm []byte) (string, error) {
	m, err := manifestOf(wasm)
	if err != nil {
		return "", fmt.Errorf("%s: %w", file, err)
	}
	return m.Name, nil
}

// checkRuleName refuses what no rule can be called: as a part of an address it might be something else.
func checkRuleName(name string) error {
	if abi.ValidName(name) {
		return nil
	}
	return usagef("%q is no name of a rule: want a to z first, then up to 31 of a to z, 0 to 9 and -", name)
}

// manifestOf reads a plugin's manifest.
func manifestOf(wasm []byte) (*abi.Manifest, error) {
	b, err := abi.CustomSection(wasm, abi.ManifestSection)
	if err != nil {
		return nil, fmt.Errorf("no plugin: %w", err)
	}
	if b == nil {
		return nil, errors.New("the module has no manifest: venued rule build or pack puts it in")
	}
	return abi.ParseManifest(b)
}

func upload(ctx context.Context, c *admin.ClientWithResponses, where, name string, wasm []byte, s *signing.Signature) (*admin.Uploaded, error) {
	params := &admin.UploadRuleParams{}
	if s != nil {
		params.XVenuedSignature, params.XVenuedKey = new(s.Base64()), &s.KeyID
	}
	r, err := c.UploadRuleWithBodyWithResponse(ctx, name, params, "application/wasm", bytes.NewReader(wasm))
	if err := answered(where, r, err); err != nil {
		return nil, err
	}
	if r.JSON201 != nil {
		return r.JSON201, nil
	}
	if r.JSON200 != nil {
		return r.JSON200, nil
	}
	return nil, fmt.Errorf("%s answers %s to an upload: is it a console of this version?", where, r.Status())
}

// want is what the flags ask for, of whatever version.
func (a *activation) want() admin.Activate {
	var want admin.Activate
	if len(a.Regions) > 0 {
		want.Regions = &a.Regions
	}
	if a.Approve {
		want.Approve = &a.Approve
	}
	if a.Faults != 0 {
		want.Faults = &a.Faults
	}
	return want
}

// activate asks for a version of a rule.
func activate(ctx context.Context, c *admin.ClientWithResponses, where, rule string, want admin.Activate) (*admin.Activated, error) {
	r, err := c.ActivateRuleWithResponse(ctx, rule, want)
	if err := answered(where, r, err); err != nil {
		return nil, err
	}
	return r.JSON200, nil
}

// printActivated says what each region did; the error says that some did not.
func printActivated(out io.Writer, a *admin.Activated, err error) error {
	if f, ok := errors.AsType[*admin.Fault](err); ok && f.Needs != nil {
		return fmt.Errorf("%w\nan admin grants it with --approve", err)
	}
	if err != nil {
		return err
	}
	fmt.Fprintln(out, a.Message)
	for i := range a.Regions {
		fmt.Fprintf(out, "  %s: %s\n", a.Regions[i].Region, outcome(&a.Regions[i]))
	}
	if !a.Ok {
		return errors.New("not every region took it")
	}
	return nil
}

// outcome says what a region did.
func outcome(r *admin.RegionSwap) string {
	runs := ""
	if r.Version != nil {
		runs = *r.Version
	}
	switch {
	case !r.Ok && r.Why != nil:
		return "not done: " + *r.Why
	case !r.Ok:
		return "not done"
	case !r.Changed:
		return "runs " + runs + " already"
	case r.Tick != nil:
		return fmt.Sprintf("runs %s from tick %d", runs, *r.Tick)
	}
	return "runs " + runs
}

// ruleListCmd lists rules.
type ruleListCmd struct{ consoleFlags }

// Help gives an example.
func (*ruleListCmd) Help() string {
	return "For example:\n\n    venued rule list --to https://venue.example --token-file admin.token"
}

// Run prints a line for each rule and region, and one for each name.
func (c *ruleListCmd) Run(ctx context.Context, out io.Writer, errOut stderr) error {
	client, where, err := c.connect(errOut)
	if err != nil {
		return err
	}
	r, err := client.GetRulesWithResponse(ctx)
	if err := answered(where, r, err); err != nil {
		return err
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	printRules(w, r.JSON200.Rules)
	if len(r.JSON200.Names) > 0 {
		fmt.Fprintln(w, "\nUPLOADED\tOWNER\tVERSIONS\tNEWEST")
		for _, n := range r.JSON200.Names {
			newest := "-"
			if n.Newest != nil {
				newest = *n.Newest
			}
			fmt.Fprintf(w, "%s\t%s\t%d\t%s\n", n.Name, n.Owner, n.Versions, newest)
		}
	}
	return w.Flush()
}

func printRules(w io.Writer, rules []admin.Rule) {
	fmt.Fprintln(w, "RULE\tREGION\tRUNS\tFROM\tSHA256\tCALLS\tFAULTS\tSTATE")
	for i := range rules {
		r := &rules[i]
		state := "runs"
		switch {
		case r.Quarantined:
			state = "quarantine"
			if r.LastFault != nil {
				state += ": " + *r.LastFault
			}
		case r.Problem != nil:
			state = *r.Problem
		}
		fmt.Fprintf(w, "%s\t%s\t%s %s\t%s\t%.12s\t%d\t%d\t%s\n", r.Rule, r.Region, r.Plugin, r.Version, r.Source, r.Digest, r.Calls, r.Faults, state)
	}
}

// ruleVersionsCmd lists versions.
type ruleVersionsCmd struct {
	consoleFlags
	Name string `arg:"" help:"The rule, or the name of uploads."`
}

// Help gives an example.
func (*ruleVersionsCmd) Help() string { return "For example:\n\n    venued rule versions lamp" }

// Run prints a line a version, newest first, and what each region runs.
func (c *ruleVersionsCmd) Run(ctx context.Context, out io.Writer, errOut stderr) error {
	if err := checkRuleName(c.Name); err != nil {
		return err
	}
	client, where, err := c.connect(errOut)
	if err != nil {
		return err
	}
	r, err := client.GetRuleWithResponse(ctx, c.Name)
	if err := answered(where, r, err); err != nil {
		return err
	}
	d := r.JSON200
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	if len(d.Versions) == 0 {
		fmt.Fprintf(w, "nothing was uploaded as %s\n", d.Name)
	} else {
		fmt.Fprintln(w, "VERSION\tSHA256\tBYTES\tUPLOADED\tBY\tSIGNED BY\tRUNS IN")
		for _, v := range d.Versions {
			signed := "-"
			if v.SignedBy != nil {
				signed = *v.SignedBy
			}
			in := "-"
			if len(v.Regions) > 0 {
				in = strings.Join(v.Regions, ", ")
			}
			fmt.Fprintf(w, "%s\t%.12s\t%d\t%s\t%s\t%s\t%s\n", v.Version, v.Digest, v.SizeBytes, v.Uploaded.UTC().Format(time.DateTime), v.By, signed, in)
		}
	}
	if d.InVenue {
		fmt.Fprintln(w)
		printRules(w, d.Regions)
	}
	return w.Flush()
}

// ruleActivateCmd activates a version.
type ruleActivateCmd struct {
	consoleFlags
	Rule    string `arg:"" help:"The rule, as the venue calls it."`
	Version string `arg:"" help:"The version, or the digest (64 hex digits) of one."`
	From    string `help:"The name that the version was uploaded under. Default: the rule's." placeholder:"NAME"`
	activation
}

// Help gives an example.
func (*ruleActivateCmd) Help() string {
	return "For example:\n\n    venued rule activate lamp 1.2.0\n    venued rule activate lamp 1.3.0 --regions hall-0     # there first"
}

// Run activates.
func (c *ruleActivateCmd) Run(ctx context.Context, out io.Writer, errOut stderr) error {
	if err := checkRuleName(c.Rule); err != nil {
		return err
	}
	client, where, err := c.connect(errOut)
	if err != nil {
		return err
	}
	want := c.want()
	if isDigest(c.Version) {
		want.Digest = &c.Version
	} else {
		want.Version = &c.Version
	}
	if c.From != "" {
		if err := checkRuleName(c.From); err != nil {
			return err
		}
		want.From = &c.From
	}
	a, err := activate(ctx, client, where, c.Rule, want)
	return printActivated(out, a, err)
}

func isDigest(s string) bool { return len(s) == 64 && strings.Trim(s, "0123456789abcdef") == "" }

// ruleRollbackCmd goes back.
type ruleRollbackCmd struct {
	consoleFlags
	Rule string `arg:"" help:"The rule, as the venue calls it."`
	activation
}

// Help gives an example.
func (*ruleRollbackCmd) Help() string { return "For example:\n\n    venued rule rollback lamp" }

// Run goes back.
func (c *ruleRollbackCmd) Run(ctx context.Context, out io.Writer, errOut stderr) error {
	if err := checkRuleName(c.Rule); err != nil {
		return err
	}
	client, where, err := c.connect(errOut)
	if err != nil {
		return err
	}
	want := c.want()
	r, err := client.RollbackRuleWithResponse(ctx, c.Rule, admin.Rollback{Regions: want.Regions, Approve: want.Approve, Faults: want.Faults})
	if err := answered(where, r, err); err != nil {
		return printActivated(out, nil, err)
	}
	return printActivated(out, r.JSON200, nil)
}

// ruleLogsCmd prints a rule's log.
type ruleLogsCmd struct {
	consoleFlags
	Rule   string `arg:"" help:"The rule, as the venue calls it."`
	Follow bool   `short:"f" help:"Go on with each line as it comes, until Ctrl-C."`
}

// Help gives an example.
func (*ruleLogsCmd) Help() string { return "For example:\n\n    venued rule logs -f lamp" }

// Run prints lines as they come.
func (c *ruleLogsCmd) Run(ctx context.Context, out io.Writer, errOut stderr) error {
	if err := checkRuleName(c.Rule); err != nil {
		return err
	}
	client, where, err := c.connect(errOut)
	if err != nil {
		return err
	}
	err = admin.FollowLog(ctx, client, c.Rule, c.Follow, func(l *admin.LogLine) error {
		_, err := fmt.Fprintf(out, "%s %-5s %s %s\n", l.Time.UTC().Format("15:04:05.000"), l.Level, l.Message, l.Fields)
		return err
	})
	switch _, fault := errors.AsType[*admin.Fault](err); {
	case err == nil && c.Follow && ctx.Err() == nil:
		return fmt.Errorf("%s: the log has ended: the host stops, or has cut the connection", where)
	case err == nil || ctx.Err() != nil:
		return nil
	case fault:
		return err
	}
	return fmt.Errorf("%s: %w", where, err)
}
