package main

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/rulebook"
)

// ruleKeygenCmd makes a key to sign plugins with.
type ruleKeygenCmd struct {
	File string `arg:"" help:"Where to write the secret key. A file that exists is read and kept."`
}

// Help gives an example.
func (*ruleKeygenCmd) Help() string { return "For example:\n\n    venued rule keygen ann.key" }

// Run writes the secret key, readable by its owner only, and prints the public one as a configuration takes it.
func (c *ruleKeygenCmd) Run(out io.Writer) error {
	key, err := readSigningKey(c.File)
	if errors.Is(err, fs.ErrNotExist) {
		key, err = makeSigningKey(c.File)
	}
	if err != nil {
		return err
	}
	public := key.Public().(ed25519.PublicKey)
	fmt.Fprintf(out, "%s: secret: keep it to yourself. Its id is %s. In the configuration of a host that shall take what it signs:\n\n", c.File, keyID(public))
	fmt.Fprintf(out, "[[rules.keys]]\nname = \"your-name\"\npublic_key = %q\nrules = [\"names of your rules\"]\n", base64.StdEncoding.EncodeToString(public))
	return nil
}

func keyID(public ed25519.PublicKey) string { return (&rulebook.Key{Public: public}).ID() }

const pemType = "PRIVATE KEY"

func makeSigningKey(file string) (ed25519.PrivateKey, error) {
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	err = errors.Join(pem.Encode(f, &pem.Block{Type: pemType, Bytes: der}), f.Close())
	if err != nil {
		return nil, errors.Join(err, os.Remove(file))
	}
	return key, nil
}

// readSigningKey reads a key that keygen made (PKCS #8 in PEM).
func readSigningKey(file string) (ed25519.PrivateKey, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	if info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("%s: mode %o lets others read it: chmod 600 %s", file, info.Mode().Perm(), file)
	}
	b, err := readSome(file, 16<<10, "a key")
	if err != nil {
		return nil, err
	}
	if block, _ := pem.Decode(b); block != nil && block.Type == pemType {
		if any, err := x509.ParsePKCS8PrivateKey(block.Bytes); err == nil {
			if key, ok := any.(ed25519.PrivateKey); ok {
				return key, nil
			}
		}
	}
	return nil, fmt.Errorf("%s is no key to sign with: venued rule keygen makes one", file)
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
	s, err := sign(wasm, c.Key)
	if err != nil {
		return err
	}
	if err := os.WriteFile(c.File+".sig", []byte(s.key+" "+s.text+"\n"), 0o666); err != nil {
		return err
	}
	fmt.Fprintf(out, "%s.sig: signed by %s\n", c.File, s.key)
	return nil
}

// signature is one of a plugin's, as a console takes it.
type signature struct{ key, text string }

// sign signs a plugin with the key in a file.
func sign(wasm []byte, keyFile string) (signature, error) {
	key, err := readSigningKey(keyFile)
	if err != nil {
		return signature{}, err
	}
	sum := sha256.Sum256(wasm)
	sig := ed25519.Sign(key, rulebook.SignedText(hex.EncodeToString(sum[:])))
	return signature{keyID(key.Public().(ed25519.PublicKey)), base64.StdEncoding.EncodeToString(sig)}, nil
}

// signatureOf finds the signature of a plugin: made with the key, or in the file beside it; none is no error.
func signatureOf(file string, wasm []byte, keyFile string) (signature, error) {
	if keyFile != "" {
		return sign(wasm, keyFile)
	}
	b, err := readSome(file+".sig", 1<<10, "a signature")
	if errors.Is(err, fs.ErrNotExist) {
		return signature{}, nil
	}
	if err != nil {
		return signature{}, err
	}
	key, text, ok := strings.Cut(strings.TrimSpace(string(b)), " ")
	if raw, err := base64.StdEncoding.DecodeString(text); !ok || len(key) != 16 || err != nil || len(raw) != ed25519.SignatureSize {
		return signature{}, fmt.Errorf("%s.sig is no signature: delete it, or make it anew with venued rule sign", file)
	}
	return signature{key, text}, nil
}
