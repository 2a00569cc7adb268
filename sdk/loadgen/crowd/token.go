package crowd

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/venued/venued/rtc/token"
	"github.com/venued/venued/venues"
)

// Tokens gives a join token for a user, with the load mark. It is called by many goroutines.
type Tokens func(ctx context.Context, user string) (string, error)

// Bounds of tokens.
const (
	tokenLife  = 5 * time.Minute
	tokenLimit = 10 * time.Second // for a service's answer
)

// Signed signs tokens with the key of a venue, whose id is read when a token is made.
func Signed(key []byte, venue *venues.Description) (Tokens, error) {
	issuer, err := token.NewIssuer(key, nil)
	if err != nil {
		return nil, err
	}
	return func(_ context.Context, user string) (string, error) {
		t, _, err := issuer.Issue(token.Claims{Venue: venue.ID, User: user, Name: user, Load: true}, tokenLife)
		return t, err
	}, nil
}

// Reused uses one development token for all users. The error says that it is none, or that it lacks the load mark.
func Reused(text string) (Tokens, error) {
	c, err := read(text)
	switch {
	case err != nil:
		return nil, err
	case !c.Load:
		return nil, errUnmarked
	case !c.Many:
		return nil, errors.New("the token is good for one join only: a run needs one that may be used again ('venued token --many --load'), the key, or a service that gives tokens")
	}
	return func(context.Context, string) (string, error) { return text, nil }, nil
}

// errUnmarked is the refusal of tokens without the load mark.
var errUnmarked = errors.New("the token lacks the load mark, so what the run writes would mix with what real visitors do: " +
	"make one with 'venued token --many --load', or name the venue's key with --key")

// Fetched asks a service for each token: GET address?user=USER&load=1, whose answer is the token as text.
func Fetched(address string) (Tokens, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("the address %q of the tokens: want http://... or https://...", address)
	}
	hc := &http.Client{Timeout: tokenLimit}
	return func(ctx context.Context, user string) (string, error) {
		one := *u
		q := one.Query()
		q.Set("user", user)
		q.Set("load", "1")
		one.RawQuery = q.Encode()
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, one.String(), nil)
		if err != nil {
			return "", fmt.Errorf("token service: %w", err)
		}
		req.Close = true // one answer a visitor: nothing to keep a connection for
		resp, err := hc.Do(req)
		if err != nil {
			return "", fmt.Errorf("token service: %w", err)
		}
		defer resp.Body.Close()
		b, err := io.ReadAll(io.LimitReader(resp.Body, token.MaxLength+1))
		if err != nil {
			return "", fmt.Errorf("token service: %w", err)
		}
		if resp.StatusCode != http.StatusOK {
			return "", fmt.Errorf("token service: %s answered %s", u.Redacted(), resp.Status)
		}
		text := strings.TrimSpace(string(b))
		c, err := read(text)
		if err != nil {
			return "", fmt.Errorf("token service: %w", err)
		}
		if !c.Load {
			return "", fmt.Errorf("token service: %w", errUnmarked)
		}
		return text, nil
	}, nil
}

type marks struct {
	Many bool `json:"many"`
	Load bool `json:"load"`
}

// read reads a token's marks. Nothing is verified: the venue does that.
func read(text string) (m marks, err error) {
	parts := strings.Split(text, ".")
	if len(parts) == 3 && len(text) <= token.MaxLength {
		if b, e := base64.RawURLEncoding.DecodeString(parts[1]); e == nil && json.Unmarshal(b, &m) == nil {
			return m, nil
		}
	}
	return m, errors.New("this is not a join token (three parts of base64url with dots between)")
}
