package token

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// MinKey is the least length of a key, bytes: as long as the hash.
const MinKey = 32

func checkKey(key []byte) error {
	if len(key) < MinKey {
		return fmt.Errorf("token: the key is %d bytes long, at least %d are needed", len(key), MinKey)
	}
	return nil
}

// NewKey returns a fresh random key.
func NewKey() []byte {
	key := make([]byte, MinKey)
	rand.Read(key)
	return key
}

// ReadKey reads a key file: base64 (standard alphabet) of at least MinKey bytes, on
// one line. A file that others than its owner may read is refused.
func ReadKey(path string) ([]byte, error) {
	st, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("token key file: %w", err)
	}
	if st.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("token key file %s: mode %o lets others read it: chmod 600 %s", path, st.Mode().Perm(), path)
	}
	if st.Size() > 4096 {
		return nil, fmt.Errorf("token key file %s: %d bytes: expected one line of base64", path, st.Size())
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("token key file: %w", err)
	}
	key, err := base64.StdEncoding.DecodeString(string(bytes.TrimSpace(b)))
	if err != nil {
		return nil, fmt.Errorf("token key file %s: not base64: %w", path, err)
	}
	if err := checkKey(key); err != nil {
		return nil, fmt.Errorf("token key file %s: %w", path, err)
	}
	return key, nil
}

// ReadOrCreateKey reads a key file, or makes one with a fresh key and mode 0600
// when there is none; created tells which.
func ReadOrCreateKey(path string) (key []byte, created bool, err error) {
	key, err = ReadKey(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return key, false, err
	}
	key = NewKey()
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) { // another process was faster
		key, err = ReadKey(path)
		return key, false, err
	}
	if err != nil {
		return nil, false, fmt.Errorf("token key file: %w", err)
	}
	_, err = f.WriteString(base64.StdEncoding.EncodeToString(key) + "\n")
	if err2 := f.Close(); err == nil {
		err = err2
	}
	if err != nil {
		return nil, false, errors.Join(fmt.Errorf("token key file %s: %w", path, err), os.Remove(path))
	}
	return key, true, nil
}
