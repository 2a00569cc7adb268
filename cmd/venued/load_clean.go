package main

import (
	"context"
	"fmt"
	"io"
)

// loadCleanCmd removes what load generators left in a host's store.
type loadCleanCmd struct{ consoleFlags }

// Help gives an example.
func (*loadCleanCmd) Help() string {
	return "What visitors with the load mark in their token left is removed: their last places and their score boards. What people did is not touched. " +
		"For example:\n\n    venued load clean --to https://venue.example --token-file admin.token"
}

// Run removes it and says how much it was.
func (c *loadCleanCmd) Run(ctx context.Context, out io.Writer, errOut stderr) error {
	client, where, err := c.connect(errOut)
	if err != nil {
		return err
	}
	r, err := client.ClearLoadWithResponse(ctx)
	if err := answered(where, r, err); err != nil {
		return err
	}
	n := r.JSON200
	fmt.Fprintf(out, "removed: %d last places, %d totals on %d boards\n", n.Places, n.Totals, n.Boards)
	if n.Here > 0 {
		fmt.Fprintf(errOut, "venued: %d visitors with the load mark are still here and write on: end the run, then clean again\n", n.Here)
	}
	return nil
}
