package main

import (
	"fmt"
	"io"
	"time"

	"github.com/venued/venued/rtc/token"
	"github.com/venued/venued/rtc/wire"
)

// tokenCmd signs a join token, as a venue's own service would.
type tokenCmd struct {
	Key   string        `required:"" help:"Key file, see 'venued key'."`
	Venue string        `required:"" help:"Id of the venue that the token is for."`
	User  string        `required:"" help:"Id of the person, unique in the venue."`
	Name  string        `help:"Display name (default: the user's id)."`
	TTL   time.Duration `name:"ttl" default:"5m" help:"How long the token may be used; at most 24h."`
	Load  bool          `help:"Mark the visitor as a load generator's: its writes go to a partition of their own."`
	Many  bool          `help:"A development token: may be used again, and each join may choose its own user."`
}

// Run prints the token.
func (c *tokenCmd) Run(stdout io.Writer) error {
	if c.TTL <= 0 || c.TTL > token.MaxLife {
		return usagef("--ttl is %s: give a duration above 0 and at most %s", c.TTL, token.MaxLife)
	}
	if err := wire.CheckUser(c.User); err != nil {
		return usagef("--user: %v", err)
	}
	key, err := token.ReadKey(c.Key)
	if err != nil {
		return err
	}
	issuer, err := token.NewIssuer(key, nil)
	if err != nil {
		return err
	}
	signed, _, err := issuer.Issue(token.Claims{
		Venue: c.Venue, User: c.User, Name: token.CleanName(c.Name), Load: c.Load, Many: c.Many,
	}, c.TTL)
	if err != nil {
		return err
	}
	fmt.Fprintln(stdout, signed)
	return nil
}
