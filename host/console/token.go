package console

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Lengths of an admin token, bytes.
const (
	minToken = 20
	maxToken = 200
)

// ReadToken reads the admin token from a file: 20 to 200 printable letters without blanks, on one line. A
// file that others than its owner may read is refused.
func ReadToken(path string) (string, error) {
	st, err := os.Stat(path)
	if err != nil {
		return "", fmt.Errorf("admin token file: %w", err)
	}
	if st.Mode().Perm()&0o077 != 0 {
		return "", fmt.Errorf("admin token file %s: mode %o lets others read it: chmod 600 %s", path, st.Mode().Perm(), path)
	}
	if st.Size() > 4096 {
		return "", fmt.Errorf("admin token file %s: %d bytes: expected one line", path, st.Size())
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("admin token file: %w", err)
	}
	b = bytes.TrimSpace(b)
	if len(b) < minToken || len(b) > maxToken || bytes.ContainsFunc(b, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", fmt.Errorf("admin token file %s: want %d to %d letters, digits and signs without blanks, on one line; delete it to get a fresh one", path, minToken, maxToken)
	}
	return string(b), nil
}

// ReadOrCreateToken reads the admin token from a file, or makes one of 256 random bits, mode 0600, when there is none.
func ReadOrCreateToken(path string) (string, error) {
	token, err := ReadToken(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return token, err
	}
	var b [32]byte
	rand.Read(b[:])
	token = base64.RawURLEncoding.EncodeToString(b[:])
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) { // another process was faster
		return ReadToken(path)
	}
	if err != nil {
		return "", fmt.Errorf("admin token file: %w", err)
	}
	_, err = f.WriteString(token + "\n")
	if err = errors.Join(err, f.Close()); err != nil {
		return "", errors.Join(fmt.Errorf("admin token file %s: %w", path, err), os.Remove(path))
	}
	return token, nil
}
