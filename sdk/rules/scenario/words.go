package scenario

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/lattice"
)

// reader takes the words of a line one by one; the first fault sticks.
type reader struct {
	words []string
	err   error
}

func (r *reader) fail(form string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(form, args...)
	}
	r.words = nil
}

// word takes the next word; what says what it should be.
func (r *reader) word(what string) string {
	if len(r.words) == 0 {
		r.fail("the line ends where %s should stand", what)
		return ""
	}
	w := r.words[0]
	r.words = r.words[1:]
	return w
}

// next reports whether the next word is this one, and takes it.
func (r *reader) next(word string) bool {
	if len(r.words) == 0 || r.words[0] != word {
		return false
	}
	r.words = r.words[1:]
	return true
}

func (r *reader) literal(word string) {
	if got := r.word(strconv.Quote(word)); r.err == nil && got != word {
		r.fail("%q stands where %q should", got, word)
	}
}

func (r *reader) name(what string) string {
	w := r.word(what)
	if strings.HasPrefix(w, `"`) {
		r.fail("%s is a text, not %s", w, what)
	}
	return w
}

func (r *reader) number(what string, low, high float64) float64 {
	w := r.word(what)
	if r.err != nil {
		return 0
	}
	v, err := strconv.ParseFloat(w, 64)
	if err != nil || math.IsNaN(v) || v < low || v > high {
		r.fail("%q is not %s: want a number from %g to %g", w, what, low, high)
		return 0
	}
	return v
}

func (r *reader) integer(what string, low, high float64) int64 {
	v := r.number(what, low, high)
	if v != math.Trunc(v) {
		r.fail("%g is not %s: want a whole number", v, what)
	}
	return int64(v)
}

const maxMetres = 8000

func (r *reader) metres(what string) float64 { return r.number(what+", metres", -maxMetres, maxMetres) }

func (r *reader) point() lattice.Vec {
	x, y, z := r.metres("x"), r.metres("y"), r.metres("z")
	v, err := lattice.VecFromMetres(x, y, z)
	if err != nil {
		r.fail("%v", err)
	}
	return v
}

// hand takes an optional hand, 1 (right) by default.
func (r *reader) hand() uint8 {
	if r.next("left") {
		return 0
	}
	r.next("right")
	return 1
}

func (r *reader) end() error {
	if r.err == nil && len(r.words) > 0 {
		r.fail("%q is too much on this line", r.words[0])
	}
	return r.err
}

// text returns the content of a word in quotes, or the word.
func text(w string) (string, error) {
	if !strings.HasPrefix(w, `"`) {
		return w, nil
	}
	s, err := strconv.Unquote(w)
	if err != nil {
		return "", fmt.Errorf("%s is not a text: in quotes \\ stands before another \", \\, n, t, x00 ...", w)
	}
	return s, nil
}

// stored returns what a word stands for in a rule's state: 8 bytes of a number, a text, or hex:0a0b.
func (r *reader) stored() []byte {
	w := r.word("a value")
	switch h, isHex := strings.CutPrefix(w, "hex:"); {
	case r.err != nil:
		return nil
	case strings.HasPrefix(w, `"`):
		s, err := text(w)
		if err != nil {
			r.fail("%v", err)
		}
		return []byte(s)
	case isHex:
		b, err := hex.DecodeString(h)
		if err != nil {
			r.fail("%q: after hex: stand pairs of hex digits", w)
		}
		return b
	}
	n, err := strconv.ParseInt(w, 10, 64)
	if err != nil {
		r.fail("%q is no value: want a whole number, \"text\" or hex:0a0b", w)
		return nil
	}
	return binary.LittleEndian.AppendUint64(nil, uint64(n))
}

// showStored is how a value of a rule's state is shown.
func showStored(b []byte) string {
	if len(b) == 8 {
		return strconv.FormatInt(int64(binary.LittleEndian.Uint64(b)), 10) + " (hex:" + hex.EncodeToString(b) + ")"
	}
	if printable(string(b)) {
		return strconv.Quote(string(b))
	}
	return "hex:" + hex.EncodeToString(b)
}

// key is a key of a rule's state by names.
type key struct {
	scope   abi.Scope
	subject string
	name    string
}

var scopes = map[string]abi.Scope{
	"object": abi.ScopeObject, "user": abi.ScopeUser, "zone": abi.ScopeZone, "region": abi.ScopeRegion, "venue": abi.ScopeVenue,
}

// key takes SCOPE [SUBJECT] KEY.
func (r *reader) key() key {
	var k key
	w := r.word("a scope")
	k.scope = scopes[w]
	if r.err == nil && k.scope == 0 {
		r.fail("%q is no scope: want object, user, zone, region or venue", w)
	}
	if k.scope == abi.ScopeObject || k.scope == abi.ScopeUser || k.scope == abi.ScopeZone {
		k.subject = r.name("the " + w)
	}
	name, err := text(r.word("a key"))
	if err != nil {
		r.fail("%v", err)
	}
	if r.err == nil && (name == "" || len(name) > abi.MaxKey) {
		r.fail("a key has 1 to %d bytes", abi.MaxKey)
	}
	k.name = name
	return k
}
