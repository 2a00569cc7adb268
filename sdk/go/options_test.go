package client

import (
	"strings"
	"testing"
)

func TestParseLink(t *testing.T) {
	for link, want := range map[string][2]string{
		"http://127.0.0.1:7878/#token=abc":         {"http://127.0.0.1:7878", "abc"},
		"http://127.0.0.1:7878":                    {"http://127.0.0.1:7878", ""},
		" https://venue.example/a/b/?x=1#token=t ": {"https://venue.example/a/b", "t"},
		"https://venue.example#token=t&more=1":     {"https://venue.example", "t"},
	} {
		base, token, err := ParseLink(link)
		if err != nil || base != want[0] || token != want[1] {
			t.Errorf("%q: %q, %q, %v; want %q", link, base, token, err, want)
		}
	}
	for _, link := range []string{"", "venue.example:7878", "ftp://x", "http://", "http://x#tokn=a", "http://x:port"} {
		if _, _, err := ParseLink(link); err == nil {
			t.Errorf("%q was taken", link)
		}
	}
}

func TestOptionsSayWhatIsWrong(t *testing.T) {
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{URL: "nothing", Token: "t"}, "http://host:port"},
		{Options{URL: "http://x"}, "no token"},
		{Options{URL: "http://x", Session: &Session{}}, "no token"},
		{Options{URL: "http://x#token=t", Lane: "carrier"}, "want one of"},
		{Options{URL: "http://x#token=t", EventQueue: -1}, "negative"},
	} {
		if _, err := c.o.resolved(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.o, err, c.want)
		}
	}
	o, err := Options{URL: "http://localhost:1#token=t"}.resolved()
	if err != nil || o.Token != "t" || o.Lane != LaneAuto || o.EventQueue == 0 || !o.loopback() {
		t.Errorf("%+v, %v", o, err)
	}
	if o.URL = "http://192.0.2.1:1"; o.loopback() {
		t.Error("192.0.2.1 is called this machine")
	}
}

func TestReusable(t *testing.T) {
	for token, want := range map[string]bool{
		"e30.eyJtYW55Ijp0cnVlfQ.sig": true, "e30.e30.sig": false, "": false, "a.b": false, "a.!!.c": false, "a.bm8.c": false,
	} {
		if Reusable(token) != want {
			t.Errorf("Reusable(%q) = %v", token, !want)
		}
	}
}

// FuzzOutside feeds what comes from outside as text: links, tokens, and the bodies of refusals.
func FuzzOutside(f *testing.F) {
	f.Add("http://127.0.0.1:7878/#token=a.b.c")
	f.Add(`{"code":4000,"name":"token_invalid","msg":"no"}`)
	f.Add(`{"code":-1}`)
	f.Add("a.eyJtYW55Ijp0cnVlfQ.c")
	f.Fuzz(func(t *testing.T, s string) {
		if base, _, err := ParseLink(s); err == nil {
			again, token, err := ParseLink(base)
			if err != nil || again != base || token != "" {
				t.Errorf("%q gives %q, which gives %q, %q, %v", s, base, again, token, err)
			}
		}
		Reusable(s)
		if err := refusal(400, []byte(s)); err == nil || len(err.Error()) > 1200+len(s) {
			t.Errorf("refusal of %q: %v", s, err)
		}
	})
}
