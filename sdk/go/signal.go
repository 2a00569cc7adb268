package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// maxAnswer bounds what a signalling response may hold, bytes.
const maxAnswer = 64 << 10

// ticket is what one attempt to connect shows the gateway.
type ticket struct {
	token  string
	resume bool
	last   map[string]uint64
}

// query returns the parameters of the attempt, sorted.
func (o *Options) query(t ticket) url.Values {
	q := url.Values{}
	if t.resume {
		for _, r := range sortedKeys(t.last) {
			q.Add("last", r+":"+strconv.FormatUint(t.last[r], 10))
		}
		return q
	}
	if o.User != "" {
		q.Set("user", o.User)
	}
	if o.Name != "" {
		q.Set("name", o.Name)
	}
	if o.Spawn != "" {
		q.Set("spawn", o.Spawn)
	}
	return q
}

func sortedKeys(m map[string]uint64) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func withQuery(base string, q url.Values) string {
	if len(q) == 0 {
		return base
	}
	return base + "?" + q.Encode()
}

// signal does one request with an SDP body and returns the body and, of a created
// resource, its address.
func (o *Options) signal(ctx context.Context, method, address, token, sdp string) (answer, location string, err error) {
	req, err := http.NewRequestWithContext(ctx, method, address, strings.NewReader(sdp))
	if err != nil {
		return "", "", fmt.Errorf("client: %w", err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	if sdp != "" {
		req.Header.Set("Content-Type", "application/sdp")
	}
	resp, err := o.HTTP.Do(req)
	if err != nil {
		return "", "", fmt.Errorf("client: signalling: %w", err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	if err != nil {
		return "", "", fmt.Errorf("client: signalling answer: %w", err)
	}
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return "", "", refusal(resp.StatusCode, body)
	}
	if l := resp.Header.Get("Location"); l != "" {
		u, err := req.URL.Parse(l)
		if err != nil {
			return "", "", fmt.Errorf("client: signalling answer has a bad Location %q: %w", l, err)
		}
		location = u.String()
	}
	return string(body), location, nil
}

// Describe fetches the venue's public description, /v1/venue, into out (a pointer
// to a struct with JSON tags; venues.Description fits). It needs no token.
func Describe(ctx context.Context, link string, out any) error {
	o, err := Options{URL: link, Token: "unused"}.resolved()
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, o.URL+"/v1/venue", nil)
	if err != nil {
		return fmt.Errorf("client: %w", err)
	}
	resp, err := o.HTTP.Do(req)
	if err != nil {
		return fmt.Errorf("client: no venue answers: %w", err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, 4<<20))
	if err != nil {
		return fmt.Errorf("client: venue description: %w", err)
	}
	if resp.StatusCode != http.StatusOK {
		return refusal(resp.StatusCode, body)
	}
	if err := json.NewDecoder(bytes.NewReader(body)).Decode(out); err != nil {
		return fmt.Errorf("client: %s/v1/venue is not a venue's description: %w", o.URL, err)
	}
	return nil
}
