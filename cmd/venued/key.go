package main

import (
	"fmt"
	"io"

	"github.com/venued/venued/rtc/token"
)

// keyCmd makes the key that join tokens are signed with.
type keyCmd struct {
	File string `arg:"" help:"Where to write the key. A file that exists is checked and kept."`
}

// Run writes a fresh random key with mode 0600, or checks the one that is there.
func (c *keyCmd) Run(stdout io.Writer) error {
	_, created, err := token.ReadOrCreateKey(c.File)
	if err != nil {
		return err
	}
	if created {
		fmt.Fprintf(stdout, "%s: a new key; name it as [tokens] key_file, and keep it secret\n", c.File)
	} else {
		fmt.Fprintf(stdout, "%s: a good key; kept as it is\n", c.File)
	}
	return nil
}
