// Package token signs and checks what lets a person into a venue: JSON Web Tokens
// under HMAC-SHA-256, one key a deployment.
//
// # Model
//
// A join token names a venue (aud), a person (sub) and the name to show. It is
// meant to live for minutes and is taken once: its id (jti) is remembered until it expires.
// A development token ("many") may be used again and lets each join
// choose its own person. A resume token ("typ":"resume") names a session; the
// gateway gives a new one at each welcome and takes only the newest, so whoever
// keeps an old one has nothing.
//
// # Trust limits
//
// Whoever holds the key may sign anything. Checking needs no store, so a token
// cannot be taken back before it expires; a join token that was used on one
// gateway is unknown to another process, which is why they live for minutes.
//
// # Duties of the caller
//
// Call [Verifier.Use] when a connection came up, not when it was asked for: an
// attempt that fails on one lane may then be repeated on another.
package token

import (
	"crypto/rand"
	"encoding/base32"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/golang-jwt/jwt/v5"

	"github.com/venued/venued/rtc/wire"
)

// Bounds of what a token may hold.
const (
	// MaxLength is the longest token that is looked at, bytes.
	MaxLength = 2048
	// MaxName is the longest display name, bytes; longer ones are cut at a rune.
	MaxName = 48
	// MaxLife is the longest life of a one-use join token: its id is kept that long.
	MaxLife = 24 * time.Hour
	// Leeway is how far the clocks of the issuer and this machine may differ.
	Leeway = 5 * time.Second
)

const resumeType = "resume"

// Error is why a token was refused, with the code that the client is told.
type Error struct {
	Code wire.Code
	Msg  string
}

// Error returns the code's name and what was wrong.
func (e *Error) Error() string { return e.Code.Name() + ": " + e.Msg }

// Claims is what a valid token says.
type Claims struct {
	Venue   string
	User    string    // id of the person, unique in the venue; for Many a prefix may be chosen freely
	Name    string    // to show; the user id when the token has none
	ID      string    // of the token
	Expires time.Time // zero never occurs
	Load    bool      // a load generator: what it writes goes to a partition of its own
	Many    bool      // a development token
	Session uint64    // a resume token's session; 0 for a join token
}

// Resume reports whether the token resumes a session instead of joining.
func (c *Claims) Resume() bool { return c.Session != 0 }

// body is the JSON of a token.
type body struct {
	jwt.RegisteredClaims
	Name    string `json:"name,omitempty"`
	Load    bool   `json:"load,omitempty"`
	Many    bool   `json:"many,omitempty"`
	Typ     string `json:"typ,omitempty"`
	Session string `json:"sid,omitempty"` // decimal
}

// Issuer signs tokens. Safe for use by several goroutines.
type Issuer struct {
	key []byte
	now func() time.Time
}

// NewIssuer returns an issuer that signs with key, see [ReadKey]. A nil now is time.Now.
func NewIssuer(key []byte, now func() time.Time) (*Issuer, error) {
	if err := checkKey(key); err != nil {
		return nil, err
	}
	if now == nil {
		now = time.Now
	}
	return &Issuer{key: key, now: now}, nil
}

// Issue signs a token of claims that lives for life from now. ID and Expires
// of claims are not read: the token gets a fresh id. The claims as signed are returned too.
func (i *Issuer) Issue(c Claims, life time.Duration) (string, Claims, error) {
	if c.Venue == "" {
		return "", c, errors.New("token: no venue: give the id of the venue that the token is for")
	}
	if err := wire.CheckUser(c.User); err != nil && !(c.Many && c.User == "") {
		return "", c, err
	}
	if life <= 0 {
		return "", c, fmt.Errorf("token: a life of %v: it must be above zero", life)
	}
	if life > MaxLife && !c.Many && !c.Resume() {
		return "", c, fmt.Errorf("token: a life of %v: a one-use join token lives at most %v", life, MaxLife)
	}
	now := i.now()
	c.ID, c.Expires, c.Name = rand.Text(), now.Add(life).Truncate(time.Second), CleanName(c.Name)
	b := body{
		RegisteredClaims: jwt.RegisteredClaims{
			Subject:   c.User,
			Audience:  jwt.ClaimStrings{c.Venue},
			ExpiresAt: jwt.NewNumericDate(c.Expires),
			IssuedAt:  jwt.NewNumericDate(now),
			ID:        c.ID,
		},
		Name: c.Name, Load: c.Load, Many: c.Many,
	}
	if c.Resume() {
		b.Typ, b.Session = resumeType, strconv.FormatUint(c.Session, 10)
	}
	s, err := jwt.NewWithClaims(jwt.SigningMethodHS256, b).SignedString(i.key)
	if err != nil {
		return "", c, fmt.Errorf("token: signing: %w", err)
	}
	return s, c, nil
}

// Verifier checks tokens for one venue and remembers which were used. Safe for use by several
// goroutines.
type Verifier struct {
	key    []byte
	venue  string
	now    func() time.Time
	parser *jwt.Parser
	used   usedIDs
}

// NewVerifier returns a verifier for a venue's tokens signed with key. A nil now is time.Now.
func NewVerifier(key []byte, venue string, now func() time.Time) (*Verifier, error) {
	if err := checkKey(key); err != nil {
		return nil, err
	}
	if venue == "" {
		return nil, errors.New("token: no venue: a verifier needs the id of the venue it guards")
	}
	if now == nil {
		now = time.Now
	}
	return &Verifier{
		key: key, venue: venue, now: now,
		parser: jwt.NewParser(
			jwt.WithValidMethods([]string{jwt.SigningMethodHS256.Alg()}),
			jwt.WithExpirationRequired(), jwt.WithLeeway(Leeway),
			jwt.WithTimeFunc(now), jwt.WithStrictDecoding()),
		used: usedIDs{until: map[string]time.Time{}},
	}, nil
}

// Check reads a token. The error is always an *[Error]. It does not take the token: see [Verifier.Use].
func (v *Verifier) Check(s string) (Claims, error) {
	refuse := func(code wire.Code, format string, a ...any) (Claims, error) {
		return Claims{}, &Error{Code: code, Msg: fmt.Sprintf(format, a...)}
	}
	if s == "" {
		return refuse(wire.CodeTokenInvalid, "there is no token: send it as 'Authorization: Bearer TOKEN'")
	}
	if len(s) > MaxLength {
		return refuse(wire.CodeTokenInvalid, "the token is %d bytes long, at most %d are allowed", len(s), MaxLength)
	}
	var b body
	_, err := v.parser.ParseWithClaims(s, &b, func(*jwt.Token) (any, error) { return v.key, nil })
	switch {
	case errors.Is(err, jwt.ErrTokenExpired):
		return refuse(wire.CodeTokenExpired, "the token expired at %s", b.ExpiresAt.UTC().Format(time.RFC3339))
	case errors.Is(err, jwt.ErrTokenSignatureInvalid):
		return refuse(wire.CodeTokenInvalid, "the signature does not fit: the token was signed with another key, or changed")
	case errors.Is(err, jwt.ErrTokenMalformed):
		return refuse(wire.CodeTokenInvalid, "this is not a token (three parts of base64url with dots between)")
	case err != nil:
		return refuse(wire.CodeTokenInvalid, "%v", err)
	case len(b.Audience) != 1 || b.Audience[0] != v.venue:
		return refuse(wire.CodeWrongVenue, "the token is for %q, this is %q", strings.Join(b.Audience, ","), v.venue)
	case b.ID == "" || len(b.ID) > 64:
		return refuse(wire.CodeTokenInvalid, "field jti: an id of 1 to 64 bytes is needed")
	}
	c := Claims{
		Venue: v.venue, User: b.Subject, Name: CleanName(b.Name), ID: b.ID,
		Expires: b.ExpiresAt.Time, Load: b.Load, Many: b.Many,
	}
	if err := wire.CheckUser(c.User); err != nil && !(c.Many && c.User == "") {
		return refuse(wire.CodeTokenInvalid, "field sub: %v", err)
	}
	switch b.Typ {
	case "":
		if !c.Many && c.Expires.Sub(v.now()) > MaxLife+Leeway {
			return refuse(wire.CodeTokenInvalid, "field exp: a one-use join token lives at most %v", MaxLife)
		}
	case resumeType:
		if c.Session, err = strconv.ParseUint(b.Session, 10, 64); err != nil || c.Session == 0 {
			return refuse(wire.CodeTokenInvalid, "field sid: %q is not a session number", b.Session)
		}
	default:
		return refuse(wire.CodeTokenInvalid, "field typ: %q is not known; a join token has none, the other is %q", b.Typ, resumeType)
	}
	if c.Name == "" {
		c.Name = CleanName(c.User)
	}
	return c, nil
}

// Use takes a one-use join token: the second call with the same id is refused
// with an *[Error]. Tokens that may be used again, and resume tokens, whose one use the session
// keeps, pass. When too many ids are held (65,536 within the
// tokens' lives) new ones are refused until some expire.
func (v *Verifier) Use(c *Claims) error {
	if c.Many || c.Resume() {
		return nil
	}
	switch v.used.take(c.ID, c.Expires.Add(Leeway), v.now()) {
	case takenBefore:
		return &Error{Code: wire.CodeTokenInvalid, Msg: "the token was used before: get a new one for each join"}
	case takenFull:
		return &Error{Code: wire.CodeTooManyPending, Msg: "too many join tokens were used within their lives: join later"}
	}
	return nil
}

// CleanName makes a display name fit: characters that do not print are
// removed, space around it is cut, and it is at most MaxName bytes long.
func CleanName(s string) string {
	s = strings.TrimSpace(strings.Map(func(r rune) rune {
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, s))
	for len(s) > MaxName {
		_, n := utf8.DecodeLastRuneInString(s)
		s = s[:len(s)-n]
	}
	return strings.TrimSpace(s)
}

// RandomUser returns a fresh person id with a prefix, for development tokens.
func RandomUser(prefix string) string {
	var b [5]byte
	rand.Read(b[:])
	return prefix + strings.ToLower(base32.StdEncoding.EncodeToString(b[:]))
}
