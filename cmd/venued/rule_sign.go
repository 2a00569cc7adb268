package main

import (
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/sdk/rules/signing"
)

// ruleKeygenCmd makes a key to sign plugins with.
type ruleKeygenCmd struct {
	File string `arg:"" help:"Where to write the secret key. A file that exists is read and kept."`
}

// Help gives an example.
func (*ruleKeygenCmd) Help() string { return "For example:\n\n    venued rule keygen ann.key" }

// Run writes the secret key, readable by its owner only, and prints the public one as a configuration takes it.
func (c *ruleKeygenCmd) Run(out io.Writer) error {
	key, err := signing.ReadOrCreateKey(c.File)
	if err != nil {
		return err
	}
	public := key.Public().(ed25519.PublicKey)
	fmt.Fprintf(out, "%s: secret: keep it to yourself. Its id is %s. In the configuration of a host that shall take what it signs:\n\n", c.File, signing.KeyID(public))
	fmt.Fprintf(out, "[[rules.keys]]\nname = \"your-name\"\npublic_key = %q\nrules = [\"names of your rules\"]\n", base64.StdEncoding.EncodeToString(public))
	return nil
}

// ruleSignCmd signs a plugin.
type ruleSignCmd struct {
	File string `arg:"" help:"The plugin, as it will be uploaded."`
	Key  string `required:"" help:"The secret key, from venued rule keygen." placeholder:"FILE"`
}

// Help gives an example.
func (*ruleSignCmd) Help() string {
	return "For example:\n\n    venued rule sign lamp.wasm --key ann.key     # writes lamp.wasm.sig, which upload finds"
}

// Run writes the signature beside the plugin.
func (c *ruleSignCmd) Run(out io.Writer) error {
	wasm, err := readSome(c.File, abi.MaxModule, "a plugin")
	if err != nil {
		return err
	}
	key, err := signing.ReadKey(c.Key)
	if err != nil {
		return err
	}
	s := signing.Sign(key, wasm)
	if err := os.WriteFile(c.File+".sig", []byte(s.Line()), 0o666); err != nil {
		return err
	}
	fmt.Fprintf(out, "%s.sig: signed by %s\n", c.File, s.KeyID)
	return nil
}

// ruleVerifyCmd checks a signature.
type ruleVerifyCmd struct {
	File      string `arg:"" help:"The plugin; its signature is in FILE.sig."`
	PublicKey string `required:"" help:"The public key, as venued rule keygen prints it and [[rules.keys]] has it." placeholder:"BASE64"`
}

// Help gives an example.
func (*ruleVerifyCmd) Help() string {
	return "For example:\n\n    venued rule verify lamp.wasm --public-key 'tj3FhN...8='"
}

// Run says whose signature it is; the error that it is not.
func (c *ruleVerifyCmd) Run(out io.Writer) error {
	public, err := base64.StdEncoding.Strict().DecodeString(c.PublicKey)
	if err != nil || len(public) != ed25519.PublicKeySize {
		return usagef("--public-key: %q is no public key: venued rule keygen FILE prints that of a secret key", c.PublicKey)
	}
	wasm, err := readSome(c.File, abi.MaxModule, "a plugin")
	if err != nil {
		return err
	}
	s, err := signatureOf(c.File, wasm, "")
	switch {
	case err != nil:
		return err
	case s == nil:
		return fmt.Errorf("%s is not signed: there is no %[1]s.sig; venued rule sign makes it", c.File)
	}
	if err := s.Check(public, wasm); err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	fmt.Fprintf(out, "%s: signed by %s\n", c.File, s.KeyID)
	return nil
}

// signatureOf finds the signature of a plugin: made with the key, or in the file beside it; nil for none.
func signatureOf(file string, wasm []byte, keyFile string) (*signing.Signature, error) {
	if keyFile != "" {
		key, err := signing.ReadKey(keyFile)
		if err != nil {
			return nil, err
		}
		return new(signing.Sign(key, wasm)), nil
	}
	line, err := readSome(file+".sig", 1<<10, "a signature")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	s, err := signing.ParseLine(string(line))
	if err != nil {
		return nil, fmt.Errorf("%s.sig: %w", file, err)
	}
	return &s, nil
}
