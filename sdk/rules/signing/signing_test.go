package signing_test

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/venued/venued/sdk/rules/signing"
)

func TestSignatures(t *testing.T) {
	file := filepath.Join(t.TempDir(), "key")
	key, err := signing.ReadOrCreateKey(file)
	if err != nil {
		t.Fatal(err)
	}
	again, err := signing.ReadOrCreateKey(file)
	if err != nil || !again.Equal(key) {
		t.Errorf("another key the second time: %v", err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	module := []byte("a module")
	s := signing.Sign(key, module)
	sum := sha256.Sum256(module)
	public := key.Public().(ed25519.PublicKey)
	if !ed25519.Verify(public, []byte("venued-rule-v1\n"+hex.EncodeToString(sum[:])+"\n"), s.Bytes) {
		t.Error("the signature is not over the text that docs name")
	}
	if err := s.Check(public, module); err != nil {
		t.Errorf("a good signature: %v", err)
	}
	other, err := signing.ReadOrCreateKey(filepath.Join(t.TempDir(), "other"))
	if err != nil {
		t.Fatal(err)
	}
	forged := signing.Signature{KeyID: s.KeyID, Bytes: signing.Sign(other, module).Bytes}
	for want, err := range map[string]error{
		"is signed by key":            s.Check(other.Public().(ed25519.PublicKey), module),
		"is not of this module":       s.Check(public, []byte("another module")),
		"is not of this module: it":   forged.Check(public, module),
		"a public key has 32 bytes":   s.Check(public[:7], module),
		"the signature is not of thi": signing.Signature{KeyID: s.KeyID}.Check(public, module),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	back, err := signing.ParseLine(s.Line())
	if err != nil || back.KeyID != s.KeyID || back.Base64() != s.Base64() || s.KeyID != signing.KeyID(public) {
		t.Errorf("%+v, %v", back, err)
	}
	for _, bad := range []string{"", "text", s.KeyID, s.KeyID + " " + s.Base64()[4:], "x" + s.Line(), strings.ToUpper(s.Line()), s.Line() + s.Line(), s.KeyID + "  " + s.Base64()} {
		if _, err := signing.ParseLine(bad); err == nil {
			t.Errorf("read %q", bad)
		}
	}
}

func TestKeysThatAreNone(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string, mode os.FileMode) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(content), mode); err != nil {
			t.Fatal(err)
		}
		return file
	}
	for file, want := range map[string]string{
		write("open", "", 0o644):     "lets others read it: chmod 600",
		write("text", "text", 0o600): "no key to sign with",
		write("pem", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", 0o600): "no key to sign with",
		dir:                                "is not a file",
		filepath.Join(dir, "no", "folder"): "no such file",
	} {
		if _, err := signing.ReadOrCreateKey(file); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", file, err, want)
		}
	}
}
