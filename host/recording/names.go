package recording

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/venued/venued/host/scene/saved"
)

// Text is bytes that a rule or a client made, with marks where real names stood.
type Text struct {
	Bytes  []byte
	Masked []Span // ascending, not touching
}

// Span is a part of a text whose letters were replaced, one for one.
type Span struct{ At, N uint32 }

// Same reports whether other could be the same text: where names were masked anything of the same length will do.
func (t Text) Same(other []byte) bool {
	if len(t.Bytes) != len(other) {
		return false
	}
	at := uint32(0)
	for _, s := range t.Masked {
		if string(t.Bytes[at:s.At]) != string(other[at:s.At]) {
			return false
		}
		at = s.At + s.N
	}
	return string(t.Bytes[at:]) == string(other[at:])
}

// names makes pseudonyms. The zero value maps nothing: for replays, where the names are made up already.
type names struct {
	users map[string]string
	shown map[string]string
	// find has what texts are searched for, by the first byte, the longest first.
	find      map[byte][]disguise
	protected map[string]bool
}

type disguise struct {
	real, made string
	word       bool // nothing but small letters and digits, as the words of rules are
}

// use is what a text is for.
type use uint8

const (
	// output is what a rule said, with names masked wherever they might be: nothing reads it but people and comparisons.
	output use = iota
	// packed is output that begins with records of numbers or is one.
	packed
	// state is what a rule will read again. There a name that is a word like those that rules write (a key of JSON, a number) stays.
	state
	// key is what a rule is told, or what it calls something in its state: only names that no such word could be are replaced.
	key
)

func newNames() *names {
	n := &names{users: map[string]string{}, shown: map[string]string{}, find: map[byte][]disguise{}, protected: map[string]bool{}}
	for _, w := range []string{"true", "false", "null"} {
		n.protected[w] = true
	}
	return n
}

// protect keeps words of the venue's and of its rules as they are where rules read them.
func (n *names) protect(words ...string) {
	for _, w := range words {
		for _, part := range strings.FieldsFunc(w, func(r rune) bool { return r < utf8.RuneSelf && !wordByte(byte(r)) }) {
			n.protected[part] = true
		}
	}
}

// off reports that nothing is to be replaced.
func (n *names) off() bool { return n.users == nil }

// user returns the pseudonym of a person's id. What stands for a rule in a person's place stays: the region knows it by that.
func (n *names) user(id string) string {
	if n.off() || id == "" || (saved.Person{User: id}).IsRule() {
		return id
	}
	made, ok := n.users[id]
	if !ok {
		made = fmt.Sprintf("u%d", len(n.users)+1)
		n.users[id] = made
	}
	return made
}

// name returns what stands for a display name, and has it searched for in texts from now on.
func (n *names) name(real string) string {
	if n.off() || real == "" {
		return real
	}
	if made, ok := n.shown[real]; ok {
		return made
	}
	made := makeUp(real, len(n.shown)+1)
	n.shown[real] = made
	n.search(real, made)
	// As rules write it into JSON.
	n.search(quoted(real), quoted(made))
	n.search(ascii(quoted(real)), ascii(quoted(made)))
	return made
}

func (n *names) search(real, made string) {
	if real == made || len(real) != len(made) {
		return // without a letter; or an escape of another length, which then stays what it is
	}
	list := n.find[real[0]]
	if slices.ContainsFunc(list, func(d disguise) bool { return d.real == real }) {
		return
	}
	at, _ := slices.BinarySearchFunc(list, len(real), func(d disguise, size int) int { return size - len(d.real) })
	word := strings.IndexFunc(real, func(r rune) bool { return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9') }) < 0
	n.find[real[0]] = slices.Insert(list, at, disguise{real, made, word})
}

// makeUp returns a name of the same shape: letters for letters, digits for digits, and as many bytes.
func makeUp(real string, k int) string {
	letters := "user"
	for n := k; n > 0; n /= 26 {
		letters += string(rune('a' + n%26))
	}
	var b strings.Builder
	i := 0
	for _, r := range real {
		switch {
		case r >= 'a' && r <= 'z':
			b.WriteByte(letters[i%len(letters)])
			i++
		case r >= 'A' && r <= 'Z':
			b.WriteByte(letters[i%len(letters)] - 'a' + 'A')
			i++
		case r >= '0' && r <= '9':
			b.WriteByte('0' + byte((k+i)%10))
			i++
		case r < utf8.RuneSelf:
			b.WriteByte(byte(r))
		case utf8.RuneLen(r) == 2:
			b.WriteRune('ø')
		case utf8.RuneLen(r) == 3:
			b.WriteRune('一')
		default:
			b.WriteRune('🙂')
		}
	}
	return b.String()
}

// quoted is s inside a JSON string.
func quoted(s string) string {
	b, _ := json.Marshal(s) // a string always encodes
	return string(b[1 : len(b)-1])
}

// ascii is s with every rune beyond ASCII as JSON escapes it.
func ascii(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r < utf8.RuneSelf:
			b.WriteByte(byte(r))
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

const (
	// shortName is up to how many bytes a name is looked for in plain text only: in packed numbers it would be found by chance.
	shortName = 2
	// wordName is up to how many bytes a name must be a word of its own; a longer one is replaced inside others too.
	wordName = 4
	// shortWord is up to how many bytes a name of small letters and digits is left alone where a rule reads it.
	shortWord = 3
)

// mask replaces real names. It changes nothing in place.
func (n *names) mask(b []byte, u use) Text { return n.maskParts(b, []part{{0, len(b)}}, u) }

// maskParts replaces real names in some parts, which ascend. It changes nothing in place.
func (n *names) maskParts(b []byte, parts []part, u use) Text {
	t := Text{Bytes: b}
	if len(n.find) == 0 {
		return t
	}
	for _, p := range parts {
		text := b[p.from:p.to]
		plain := plainText(text, u == packed)
		for i := 0; i < len(text); {
			d, ok := n.at(text, i, plain, u)
			if !ok {
				i++
				continue
			}
			if len(t.Masked) == 0 {
				t.Bytes = slices.Clone(b)
			}
			at := p.from + i
			copy(t.Bytes[at:], d.made)
			if last := len(t.Masked) - 1; last >= 0 && t.Masked[last].At+t.Masked[last].N == uint32(at) {
				t.Masked[last].N += uint32(len(d.real))
			} else {
				t.Masked = append(t.Masked, Span{uint32(at), uint32(len(d.real))})
			}
			i += len(d.real)
		}
	}
	return t
}

// at finds the longest name that begins at i.
func (n *names) at(b []byte, i int, plain bool, u use) (disguise, bool) {
	for _, d := range n.find[b[i]] {
		end := i + len(d.real)
		if end > len(b) || string(b[i:end]) != d.real || len(d.real) <= shortName && !plain {
			continue
		}
		read := u == state || u == key
		switch {
		case (read || len(d.real) <= wordName) && (joined(b, i) || joined(b, end)):
		case read && n.protected[d.real]:
		case d.word && (u == key || u == state && len(d.real) <= shortWord):
		default:
			return d, true
		}
	}
	return disguise{}, false
}

// joined reports whether a word goes on over i. The letter of an escape (\n) is no part of one.
func joined(b []byte, i int) bool {
	return i > 0 && i < len(b) && wordByte(b[i-1]) && wordByte(b[i]) && (i < 2 || b[i-2] != '\\')
}

func wordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// plainText reports whether b is something that people could read; with zero bytes between texts, if they are allowed.
func plainText(b []byte, zeros bool) bool {
	for _, c := range b {
		if c < ' ' && c != '\t' && c != '\n' && c != '\r' && !(c == 0 && zeros) {
			return false
		}
	}
	return utf8.Valid(b)
}
