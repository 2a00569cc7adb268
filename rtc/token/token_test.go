package token

import (
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/venued/venued/rtc/wire"
)

// clock is a settable time.
type clock struct{ t time.Time }

func (c *clock) now() time.Time { return c.t }

var key = []byte(strings.Repeat("k", MinKey))

func pair(t *testing.T) (*Issuer, *Verifier, *clock) {
	t.Helper()
	c := &clock{time.Unix(1_700_000_000, 0)}
	i, err := NewIssuer(key, c.now)
	if err != nil {
		t.Fatal(err)
	}
	v, err := NewVerifier(key, "hall", c.now)
	if err != nil {
		t.Fatal(err)
	}
	return i, v, c
}

func code(t *testing.T, err error) wire.Code {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("error %v (%T) is not a *token.Error", err, err)
	}
	return e.Code
}

func TestRoundTrip(t *testing.T) {
	i, v, _ := pair(t)
	for _, c := range []Claims{
		{Venue: "hall", User: "ada", Name: "Ada L."},
		{Venue: "hall", User: "bot-1", Name: "bot", Load: true, Many: true},
		{Venue: "hall", User: "ada", Name: "Ada", Session: 1<<63 + 5},
		{Venue: "hall", Name: "dev", Many: true},
	} {
		s, want, err := i.Issue(c, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		got, err := v.Check(s)
		if err != nil {
			t.Fatalf("%+v: %v", c, err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Error(d)
		}
	}
}

func TestRefusals(t *testing.T) {
	i, v, _ := pair(t)
	sign := func(method jwt.SigningMethod, key any, claims jwt.Claims) string {
		s, err := jwt.NewWithClaims(method, claims).SignedString(key)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	reg := func(change func(*body)) body {
		b := body{RegisteredClaims: jwt.RegisteredClaims{
			Subject: "ada", Audience: jwt.ClaimStrings{"hall"}, ID: "x",
			ExpiresAt: jwt.NewNumericDate(v.now().Add(time.Minute))}}
		change(&b)
		return b
	}
	good := sign(jwt.SigningMethodHS256, key, reg(func(*body) {}))
	if _, err := v.Check(good); err != nil {
		t.Fatalf("the token that the others are variants of: %v", err)
	}
	parts := strings.Split(good, ".")
	other, _, err := i.Issue(Claims{Venue: "barn", User: "ada"}, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, token string
		code        wire.Code
		says        string
	}{
		{"none", "", wire.CodeTokenInvalid, "Authorization: Bearer"},
		{"too long", strings.Repeat("a", MaxLength+1), wire.CodeTokenInvalid, "at most 2048"},
		{"no token", "hello", wire.CodeTokenInvalid, "not a token"},
		{"another key", sign(jwt.SigningMethodHS256, []byte(strings.Repeat("z", 32)), reg(func(*body) {})), wire.CodeTokenInvalid, "another key"},
		{"changed body", parts[0] + "." + base64.RawURLEncoding.EncodeToString([]byte(`{"sub":"eve"}`)) + "." + parts[2], wire.CodeTokenInvalid, "signature"},
		{"unsigned", sign(jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, reg(func(*body) {})), wire.CodeTokenInvalid, "signature"},
		{"another method", sign(jwt.SigningMethodHS512, key, reg(func(*body) {})), wire.CodeTokenInvalid, "signature"},
		{"expired", sign(jwt.SigningMethodHS256, key, reg(func(b *body) { b.ExpiresAt = jwt.NewNumericDate(v.now().Add(-time.Minute)) })), wire.CodeTokenExpired, "expired at"},
		{"no expiry", sign(jwt.SigningMethodHS256, key, reg(func(b *body) { b.ExpiresAt = nil })), wire.CodeTokenInvalid, "exp"},
		{"not yet", sign(jwt.SigningMethodHS256, key, reg(func(b *body) { b.NotBefore = jwt.NewNumericDate(v.now().Add(time.Hour)) })), wire.CodeTokenInvalid, "not valid yet"},
		{"lives too long", sign(jwt.SigningMethodHS256, key, reg(func(b *body) { b.ExpiresAt = jwt.NewNumericDate(v.now().Add(48 * time.Hour)) })), wire.CodeTokenInvalid, "field exp"},
		{"no id", sign(jwt.SigningMethodHS256, key, reg(func(b *body) { b.ID = "" })), wire.CodeTokenInvalid, "field jti"},
		{"no user", sign(jwt.SigningMethodHS256, key, reg(func(b *body) { b.Subject = "" })), wire.CodeTokenInvalid, "field sub"},
		{"long user", sign(jwt.SigningMethodHS256, key, reg(func(b *body) { b.Subject = strings.Repeat("u", 65) })), wire.CodeTokenInvalid, "field sub"},
		{"unknown type", sign(jwt.SigningMethodHS256, key, reg(func(b *body) { b.Typ = "reusme" })), wire.CodeTokenInvalid, `"reusme"`},
		{"bad session", sign(jwt.SigningMethodHS256, key, reg(func(b *body) { b.Typ, b.Session = "resume", "-1" })), wire.CodeTokenInvalid, "field sid"},
		{"wrong venue", other, wire.CodeWrongVenue, `"barn"`},
		{"two venues", sign(jwt.SigningMethodHS256, key, reg(func(b *body) { b.Audience = jwt.ClaimStrings{"hall", "barn"} })), wire.CodeWrongVenue, "hall,barn"},
	} {
		_, err := v.Check(c.token)
		if err == nil {
			t.Errorf("%s: taken", c.name)
			continue
		}
		if got := code(t, err); got != c.code {
			t.Errorf("%s: code %s, want %s (%v)", c.name, got.Name(), c.code.Name(), err)
		}
		if !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %q does not say %q", c.name, err, c.says)
		}
	}
}

func TestUseTakesOnce(t *testing.T) {
	i, v, c := pair(t)
	s, _, _ := i.Issue(Claims{Venue: "hall", User: "ada"}, time.Minute)
	claims, err := v.Check(s)
	if err != nil {
		t.Fatal(err)
	}
	if err := v.Use(&claims); err != nil {
		t.Fatal(err)
	}
	if got := code(t, v.Use(&claims)); got != wire.CodeTokenInvalid {
		t.Errorf("second use: %s", got.Name())
	}
	if _, err := v.Check(s); err != nil {
		t.Errorf("Check must not count as a use: %v", err)
	}
	many := Claims{Many: true, ID: "m"}
	if v.Use(&many) != nil || v.Use(&many) != nil {
		t.Error("a development token may be used again")
	}
	// Expired ids are thrown out, unexpired ones are not.
	c.t = c.t.Add(2 * time.Minute)
	if err := v.Use(&Claims{ID: "other", Expires: c.t.Add(time.Minute)}); err != nil {
		t.Fatal(err)
	}
	if n := len(v.used.until); n != 1 {
		t.Errorf("%d ids held, want only the newest", n)
	}
}

func TestUsedIDsAreBounded(t *testing.T) {
	_, v, c := pair(t)
	for n := range maxUsed {
		if err := v.Use(&Claims{ID: fmt.Sprint(n), Expires: c.t.Add(time.Minute)}); err != nil {
			t.Fatal(err)
		}
	}
	if got := code(t, v.Use(&Claims{ID: "one more", Expires: c.t.Add(time.Minute)})); got != wire.CodeTooManyPending {
		t.Errorf("beyond the bound: %s", got.Name())
	}
	c.t = c.t.Add(time.Hour)
	if err := v.Use(&Claims{ID: "later", Expires: c.t.Add(time.Minute)}); err != nil {
		t.Errorf("after all expired: %v", err)
	}
}

func TestIssueRefuses(t *testing.T) {
	i, _, _ := pair(t)
	for _, c := range []struct {
		claims Claims
		life   time.Duration
	}{
		{Claims{User: "ada"}, time.Minute},
		{Claims{Venue: "hall"}, time.Minute},
		{Claims{Venue: "hall", User: "a b"}, time.Minute},
		{Claims{Venue: "hall", User: "ada"}, 0},
		{Claims{Venue: "hall", User: "ada"}, MaxLife + time.Second},
	} {
		if s, _, err := i.Issue(c.claims, c.life); err == nil {
			t.Errorf("%+v for %v: signed %s", c.claims, c.life, s)
		}
	}
}

func TestCleanNameFitsAndIsStable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "name")
		got := CleanName(s)
		if len(got) > MaxName {
			t.Fatalf("%q is %d bytes", got, len(got))
		}
		if again := CleanName(got); again != got {
			t.Fatalf("%q became %q the second time", got, again)
		}
	})
}

func TestKeyFiles(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "token.key")
	made, created, err := ReadOrCreateKey(path)
	if err != nil || !created {
		t.Fatal(created, err)
	}
	again, created, err := ReadOrCreateKey(path)
	if err != nil || created || string(again) != string(made) {
		t.Fatal("a second start must read the first's key", created, err)
	}
	for _, c := range []struct {
		name, content, says string
		mode                os.FileMode
	}{
		{"open", base64.StdEncoding.EncodeToString(made), "chmod 600", 0o644},
		{"short", base64.StdEncoding.EncodeToString(made[:16]), "16 bytes", 0o600},
		{"raw", "not base64!", "not base64", 0o600},
		{"big", strings.Repeat("A", 5000), "5000 bytes", 0o600},
	} {
		p := filepath.Join(dir, c.name)
		if err := os.WriteFile(p, []byte(c.content), c.mode); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadKey(p); err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), p) {
			t.Errorf("%s: %v does not name the file and %q", c.name, err, c.says)
		}
	}
	if _, _, err := ReadOrCreateKey(filepath.Join(dir, "no", "such", "folder")); err == nil {
		t.Error("a key file in a folder that is not there")
	}
}

func FuzzCheck(f *testing.F) {
	c := &clock{time.Unix(1_700_000_000, 0)}
	i, _ := NewIssuer(key, c.now)
	v, _ := NewVerifier(key, "hall", c.now)
	s, _, _ := i.Issue(Claims{Venue: "hall", User: "ada"}, time.Minute)
	f.Add(s)
	f.Add("a.b.c")
	f.Add("")
	f.Fuzz(func(t *testing.T, s string) {
		if _, err := v.Check(s); err != nil {
			code(t, err)
		}
	})
}
