// Package signing says whose a rule's module is: ed25519 signatures over the digest of an upload, and the keys that make
// them.
//
// A secret key is a file that its owner alone may read, PKCS #8 in PEM, as other tools read and make it too. A signature lies beside the
// module in a file of one line, KEY-ID SIGNATURE, or travels with the upload.
package signing

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
)

// Text is what a signature is over; digest is the SHA-256 of the module as it is uploaded, in hex.
func Text(digest string) []byte { return []byte("venued-rule-v1\n" + digest + "\n") }

// KeyID is how signatures name a key: the first 16 hex digits of the SHA-256 of its public part.
func KeyID(public ed25519.PublicKey) string {
	sum := sha256.Sum256(public)
	return hex.EncodeToString(sum[:8])
}

// Signature is a signature with the key that made it.
type Signature struct {
	KeyID string
	Bytes []byte // ed25519.SignatureSize
}

// Base64 is the signature as an upload carries it.
func (s Signature) Base64() string { return base64.StdEncoding.EncodeToString(s.Bytes) }

// Sign signs a module.
func Sign(key ed25519.PrivateKey, module []byte) Signature {
	sum := sha256.Sum256(module)
	return Signature{KeyID(key.Public().(ed25519.PublicKey)), ed25519.Sign(key, Text(hex.EncodeToString(sum[:])))}
}

// Check says why a signature is not one of a key over a module, nil when it is.
func (s Signature) Check(public ed25519.PublicKey, module []byte) error {
	sum := sha256.Sum256(module)
	switch {
	case len(public) != ed25519.PublicKeySize:
		return fmt.Errorf("a public key has %d bytes, not %d", ed25519.PublicKeySize, len(public))
	case s.KeyID != KeyID(public):
		return fmt.Errorf("it is signed by key %s, this key is %s", s.KeyID, KeyID(public))
	case len(s.Bytes) != ed25519.SignatureSize || !ed25519.Verify(public, Text(hex.EncodeToString(sum[:])), s.Bytes):
		return errors.New("the signature is not of this module: it was built anew since, or somebody changed it; sign it again if you know which")
	}
	return nil
}

// Line is what a signature file holds.
func (s Signature) Line() string { return s.KeyID + " " + s.Base64() + "\n" }

// ParseLine reads what a signature file holds. Whether the signature is good, the host finds out.
func ParseLine(line string) (Signature, error) {
	id, text, ok := strings.Cut(strings.TrimSpace(line), " ")
	raw, err := base64.StdEncoding.Strict().DecodeString(text)
	if !ok || len(id) != 16 || strings.Trim(id, "0123456789abcdef") != "" || err != nil || len(raw) != ed25519.SignatureSize {
		return Signature{}, errors.New("this is no signature: delete it, or make it anew with venued rule sign")
	}
	return Signature{id, raw}, nil
}

const pemType = "PRIVATE KEY"

// maxFile is the largest file of a key, bytes.
const maxFile = 16 << 10

// ReadKey reads a secret key. A file that others than its owner may read is refused.
func ReadKey(file string) (ed25519.PrivateKey, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a file", file)
	case info.Mode().Perm()&0o077 != 0:
		return nil, fmt.Errorf("%s: mode %o lets others read it: chmod 600 %s", file, info.Mode().Perm(), file)
	}
	b, err := io.ReadAll(io.LimitReader(f, maxFile))
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

// ReadOrCreateKey reads a secret key, or makes one, mode 0600, when there is no such file.
func ReadOrCreateKey(file string) (ed25519.PrivateKey, error) {
	key, err := ReadKey(file)
	if !errors.Is(err, fs.ErrNotExist) {
		return key, err
	}
	if _, key, err = ed25519.GenerateKey(rand.Reader); err != nil {
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
	if err := errors.Join(pem.Encode(f, &pem.Block{Type: pemType, Bytes: der}), f.Close()); err != nil {
		return nil, errors.Join(err, os.Remove(file))
	}
	return key, nil
}
