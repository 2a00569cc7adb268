package wire

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/venued/venued/lattice"
)

// Limits of messages from clients.
const (
	MaxTopic = 64   // bytes of Up.Topic
	MaxData  = 1024 // bytes of Up.Data
)

// Types of event-lane messages from client to server.
const (
	UpGrab    = "grab"
	UpRelease = "release"
	UpUse     = "use"
	UpMsg     = "msg"
	UpBye     = "bye"
	// UpSpeaking says whether the person speaks; no key input.
	UpSpeaking = "speaking"
)

// Up is one event-lane message from a client.
type Up struct {
	T      string        // one of the Up constants
	N      uint32        // key input number: 1, 2, 3 ... per session; 0 for bye and speaking
	TS     int64         // when it happened, server timeline, microseconds
	Object uint64        // grab, release, use
	Hand   uint8         // grab, release, use: 0 left, 1 right
	HandAt lattice.Joint // grab, release, use: the hand sample, venue coordinates
	Topic  string        // msg
	Data   json.RawMessage
	On     bool // speaking
}

// upField reads one field of a message.
type upField struct {
	name     string
	required bool
	read     func(raw []byte, u *Up) *Error
}

var (
	numberFields = []upField{
		{"n", true, readN},
		{"ts", true, readTS},
	}
	handFields = append([]upField{
		{"object", true, readObject},
		{"hand", true, readHand},
		{"p", true, readP},
		{"q", true, readQ},
	}, numberFields...)
	msgFields = append([]upField{
		{"topic", true, readTopic},
		{"data", false, readData},
	}, numberFields...)
)

// upTypes says which fields a message of each type has.
var upTypes = []struct {
	name   string
	fields []upField
}{
	{UpGrab, handFields},
	{UpRelease, handFields},
	{UpUse, handFields},
	{UpMsg, msgFields},
	{UpBye, nil},
	{UpSpeaking, []upField{{"on", true, readOn}}},
}

// DecodeUp reads one message from a client. It is strict: unknown types and fields, doubled or missing
// fields, and values out of range are an *Error that names the field. u is overwritten;
// u.N is set even on an error if the message says it, so that the answer can name the input.
// u.Data does not share memory with b.
func DecodeUp(b []byte, u *Up) error {
	*u = Up{}
	if len(b) > MaxEvent {
		return errorf(CodeBadMessage, "length", "%d bytes; at most %d", len(b), MaxEvent)
	}
	if !utf8.Valid(b) {
		return errorf(CodeBadMessage, "text", "not UTF-8")
	}
	if nested(b) {
		return errorf(CodeBadMessage, "text", "arrays and objects lie more than %d deep in one another", maxNesting)
	}
	raw, err := splitObject(b, maxFields)
	if err != nil {
		return err
	}
	for _, f := range raw {
		if f.name == "n" {
			_ = readN(f.value, u) // an invalid number is reported below, in its place
		}
	}
	i := find(raw, "t")
	if i < 0 {
		return errorf(CodeBadMessage, "t", "missing: every message says its type")
	}
	var t string
	if err := readString(raw[i].value, "t", &t); err != nil {
		return err
	}
	fields, err := fieldsOf(t)
	if err != nil {
		return err
	}
	u.T = t
	for _, f := range raw {
		if f.name == "t" {
			continue
		}
		if err := readField(fields, f, u); err != nil {
			return err
		}
	}
	for _, f := range fields {
		if f.required && find(raw, f.name) < 0 {
			return errorf(CodeBadMessage, f.name, "missing in a message of type %s", t)
		}
	}
	return nil
}

func readField(fields []upField, f rawField, u *Up) *Error {
	for _, known := range fields {
		if known.name == f.name {
			return known.read(f.value, u)
		}
	}
	names := []string{"t"}
	for _, known := range fields {
		names = append(names, known.name)
	}
	return errorf(CodeBadMessage, quoteShort(f.name), "unknown field of %s%s", u.T, suggest(f.name, names))
}

func fieldsOf(t string) ([]upField, *Error) {
	names := make([]string, len(upTypes))
	for i := range upTypes {
		if upTypes[i].name == t {
			return upTypes[i].fields, nil
		}
		names[i] = upTypes[i].name
	}
	return nil, errorf(CodeBadMessage, "t", "unknown type %s%s", quoteShort(t), suggest(t, names))
}

func readN(raw []byte, u *Up) *Error {
	raw = cutNumber(raw)
	n, err := strconv.ParseUint(string(raw), 10, 32)
	if err != nil || n == 0 {
		return errorf(CodeBadField, "n", "%s; want a number from 1 to 4294967295", quoteShort(string(raw)))
	}
	u.N = uint32(n)
	return nil
}

// cutNumber shortens what is no whole number of 64 bits, and none either when it is shortened.
func cutNumber(raw []byte) []byte { return raw[:min(len(raw), 64)] }

func readTS(raw []byte, u *Up) *Error {
	raw = cutNumber(raw)
	n, err := strconv.ParseInt(string(raw), 10, 64)
	if err != nil || n < 0 {
		return errorf(CodeBadField, "ts", "%s; want server microseconds, a whole number from 0", quoteShort(string(raw)))
	}
	u.TS = n
	return nil
}

func readObject(raw []byte, u *Up) *Error {
	var s string
	if err := readString(raw, "object", &s); err != nil {
		return err
	}
	n, err := strconv.ParseUint(s, 10, 64)
	if err != nil || n == 0 || s[0] == '0' {
		return errorf(CodeBadField, "object", "%s; want an entity id as a decimal string", quoteShort(s))
	}
	u.Object = n
	return nil
}

func readOn(raw []byte, u *Up) *Error {
	switch string(raw) {
	case "true":
		u.On = true
	case "false":
		u.On = false
	default:
		return errorf(CodeBadField, "on", "%s; want true or false", quoteShort(string(raw)))
	}
	return nil
}

func readHand(raw []byte, u *Up) *Error {
	var s string
	if err := readString(raw, "hand", &s); err != nil {
		return err
	}
	h, ok := handByName(s)
	if !ok {
		return errorf(CodeBadField, "hand", `%s; want "left" or "right"`, quoteShort(s))
	}
	u.Hand = h
	return nil
}

func readP(raw []byte, u *Up) *Error {
	var p [3]float64
	if err := readNumbers(raw, "p", p[:]); err != nil {
		return err
	}
	v, err := pointOf(p)
	u.HandAt.Pos = v
	return err
}

func readQ(raw []byte, u *Up) *Error {
	var q [4]float64
	if err := readNumbers(raw, "q", q[:]); err != nil {
		return err
	}
	r, err := rotOf(q)
	u.HandAt.Rot = r
	return err
}

func readTopic(raw []byte, u *Up) *Error {
	if len(raw) > 6*MaxTopic+2 { // as long as it gets with every byte escaped
		return errorf(CodeBadField, "topic", "%d bytes; want 1 to %d", len(raw)-2, MaxTopic)
	}
	if err := readString(raw, "topic", &u.Topic); err != nil {
		return err
	}
	if u.Topic == "" || len(u.Topic) > MaxTopic {
		return errorf(CodeBadField, "topic", "%d bytes; want 1 to %d", len(u.Topic), MaxTopic)
	}
	return nil
}

func readData(raw []byte, u *Up) *Error {
	if len(raw) > MaxData {
		return errorf(CodeBadField, "data", "%d bytes; at most %d", len(raw), MaxData)
	}
	u.Data = bytes.Clone(raw)
	return nil
}

func readString(raw []byte, field string, s *string) *Error {
	if len(raw) > maxText || raw[0] != '"' || json.Unmarshal(raw, s) != nil {
		raw = raw[:min(len(raw), maxText)]
		return errorf(CodeBadField, field, "%s; want a string", quoteShort(string(raw)))
	}
	return nil
}

// readNumbers reads an array of exactly len(out) numbers.
func readNumbers(raw []byte, field string, out []float64) *Error {
	var in []json.RawMessage
	if len(raw) > maxNumbers {
		return errorf(CodeBadField, field, "%s; want an array of %d numbers", quoteShort(string(raw[:maxNumbers])), len(out))
	}
	if json.Unmarshal(raw, &in) != nil || len(in) != len(out) {
		return errorf(CodeBadField, field, "%s; want an array of %d numbers", quoteShort(string(raw)), len(out))
	}
	for i := range in {
		at := field + "[" + strconv.Itoa(i) + "]"
		if c := in[i][0]; c != '-' && (c < '0' || c > '9') {
			return errorf(CodeBadField, at, "%s; want a number", quoteShort(string(in[i])))
		}
		f, err := strconv.ParseFloat(string(in[i]), 64)
		if err != nil {
			return errorf(CodeBadField, at, "%s is %v", quoteShort(string(in[i])), lattice.ErrNotFinite)
		}
		out[i] = f
	}
	return nil
}

func pointOf(p [3]float64) (lattice.Vec, *Error) {
	v, err := lattice.VecFromMetres(p[0], p[1], p[2])
	if err != nil {
		return v, errorf(CodeBadField, "p", "%v", err)
	}
	return v, nil
}

func rotOf(q [4]float64) (lattice.Rot, *Error) {
	r, err := lattice.RotFromQuat(q[0], q[1], q[2], q[3])
	if err != nil {
		return r, errorf(CodeBadField, "q", "%v", err)
	}
	return r, nil
}

func handByName(s string) (uint8, bool) {
	switch s {
	case "left":
		return 0, true
	case "right":
		return 1, true
	}
	return 0, false
}

// HandName returns "left" for 0 and "right" for anything else, as lattice.Body.Hand does.
func HandName(h uint8) string {
	if h == 0 {
		return "left"
	}
	return "right"
}

// suggest says which known name is meant, or lists them.
func suggest(got string, known []string) string {
	best, at := 3, -1
	if len(got) <= 32 {
		for i, k := range known {
			if d := editDistance(got, k); d < best {
				best, at = d, i
			}
		}
	}
	if at >= 0 {
		return "; did you mean " + strconv.Quote(known[at]) + "?"
	}
	return "; known are " + strings.Join(known, ", ")
}

// editDistance is the number of bytes to insert, remove or replace.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diag := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diag
			if a[i] != b[j] {
				cost++
			}
			diag = row[j+1]
			row[j+1] = min(cost, row[j]+1, diag+1)
		}
	}
	return row[len(b)]
}

// quoteShort quotes what a client sent for an error text, cut to 40 bytes.
func quoteShort(s string) string {
	if len(s) > 40 {
		s = strings.ToValidUTF8(s[:40], "") + "..."
	}
	return strconv.Quote(s)
}

// Key reports whether the message is a key input: numbered, stamped, and answered by a decision.
func (u *Up) Key() bool { return u.T != UpBye && u.T != UpSpeaking }

// Append appends u as a JSON message to dst: what a client sends.
func (u *Up) Append(dst []byte) []byte {
	dst = append(dst, `{"t":`...)
	dst = appendString(dst, u.T)
	if u.Key() {
		dst = append(dst, `,"n":`...)
		dst = strconv.AppendUint(dst, uint64(u.N), 10)
		dst = append(dst, `,"ts":`...)
		dst = strconv.AppendInt(dst, u.TS, 10)
	}
	switch u.T {
	case UpGrab, UpRelease, UpUse:
		dst = append(dst, `,"object":"`...)
		dst = strconv.AppendUint(dst, u.Object, 10)
		dst = append(dst, `","hand":"`...)
		dst = append(dst, HandName(u.Hand)...)
		dst = append(dst, `","p":`...)
		dst = AppendPoint(dst, u.HandAt.Pos)
		dst = append(dst, `,"q":`...)
		dst = AppendQuat(dst, u.HandAt.Rot)
	case UpSpeaking:
		dst = append(dst, `,"on":`...)
		dst = strconv.AppendBool(dst, u.On)
	case UpMsg:
		dst = append(dst, `,"topic":`...)
		dst = appendString(dst, u.Topic)
		if len(u.Data) > 0 {
			dst = append(dst, `,"data":`...)
			dst = append(dst, u.Data...)
		}
	}
	return append(dst, '}')
}
