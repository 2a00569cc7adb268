package rulebook

import (
	"crypto/ed25519"
	"fmt"
	"slices"
	"strings"

	"github.com/venued/venued/sdk/rules/signing"
)

// Key is a designer who may upload.
type Key struct {
	Name     string            // who it is: what versions and logs say
	Public   ed25519.PublicKey // nil when it signs nothing
	Rules    []string          // names that it may upload under, and rules that it may activate versions for
	Activate bool              // whether it may activate and roll back
}

// ID returns how signatures name the key: the first 16 hex digits of the SHA-256 of its public part; "" without one.
func (k *Key) ID() string {
	if k.Public == nil {
		return ""
	}
	return signing.KeyID(k.Public)
}

// Admin is the name of admins in versions and logs. No key may have it.
const Admin = "admin"

// Caller is who wants something: an admin, or (Key not empty) the holder of a key's token.
type Caller struct{ Key string }

// Name returns what versions and logs say.
func (c Caller) Name() string {
	if c.Key == "" {
		return Admin
	}
	return c.Key
}

// SignedText is what a module's signature is over: see package signing.
func SignedText(digest string) []byte { return signing.Text(digest) }

func (b *Book) key(name string) *Key {
	i := slices.IndexFunc(b.cfg.Keys, func(k Key) bool { return k.Name == name })
	if i < 0 {
		return nil
	}
	return &b.cfg.Keys[i]
}

// may says whether a caller may upload under a name, or act on a rule of it.
func (b *Book) may(c Caller, name string) error {
	if c.Key == "" {
		return nil
	}
	k := b.key(c.Key)
	switch {
	case k == nil:
		return refuse(Forbidden, "there is no rule key %s in the configuration (any more)", c.Key)
	case !slices.Contains(k.Rules, name):
		return refuse(Forbidden, "rule key %s may not touch %q: its names are %s ([[rules.keys]] rules in the configuration)", k.Name, name, strings.Join(k.Rules, ", "))
	}
	return nil
}

// author says whose upload this is: the key's that signed it, or else the caller's.
func (b *Book) author(u *Upload, digest string) (by string, err error) {
	if u.KeyID == "" && len(u.Signature) == 0 {
		if b.cfg.RequireSignature {
			return "", refuse(Forbidden, "the module is not signed, and this host takes signed ones only ([rules] require_signature): sign it with a key of the configuration: %s", b.keyNames())
		}
		return u.By.Name(), nil
	}
	if u.KeyID == "" || len(u.Signature) == 0 {
		return "", refuse(BadRequest, "a signature and the id of its key belong together: one of them is missing")
	}
	i := slices.IndexFunc(b.cfg.Keys, func(k Key) bool { return k.ID() == u.KeyID })
	if i < 0 {
		return "", refuse(Forbidden, "the key %.64q that signed the module is not one of the configuration's: %s", u.KeyID, b.keyNames())
	}
	k := &b.cfg.Keys[i]
	if len(u.Signature) != ed25519.SignatureSize || !ed25519.Verify(k.Public, SignedText(digest), u.Signature) {
		return "", refuse(Forbidden, "the signature is not one of key %s (%s) over this module, whose digest is %s: sign the very file that is uploaded", k.ID(), k.Name, digest)
	}
	if u.By.Key != "" && u.By.Key != k.Name {
		return "", refuse(Forbidden, "the module is signed by %s, the token is %s's: upload it with the token of the key that signed it", k.Name, u.By.Key)
	}
	return k.Name, nil
}

func (b *Book) keyNames() string {
	var out []string
	for i := range b.cfg.Keys {
		if k := &b.cfg.Keys[i]; k.Public != nil {
			out = append(out, fmt.Sprintf("%s (%s)", k.Name, k.ID()))
		}
	}
	if out == nil {
		return "it has none"
	}
	return strings.Join(out, ", ")
}
