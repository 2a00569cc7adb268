package wire

import (
	"encoding/json"
	"strconv"
	"unicode/utf8"

	"github.com/venued/venued/host/stream"
)

// Types of event-lane messages from server to client. Those from DownGrabbed to DownLeft except
// error, close and resync are key events of a region: they carry its name and their number.
const (
	DownWelcome  = "welcome"
	DownAck      = "ack"
	DownDurable  = "durable"
	DownGrabbed  = "grabbed"
	DownReleased = "released"
	DownDropped  = "dropped"
	DownDenied   = "denied"
	DownDoor     = "door"
	DownTeleport = "teleport"
	DownState    = "state"
	DownRule     = "rule"
	DownScore    = "score"
	DownCorrect  = "correct"
	DownJoined   = "joined"
	DownLeft     = "left"
	DownError    = "error"
	DownClose    = "close"
	DownResync   = "resync"
)

// MaxWelcome is the largest welcome, bytes. It is the one message that may be longer than
// MaxEvent, because it lists the venue's kinds of objects.
const MaxWelcome = 64 << 10

// Welcome is the first message of the server on the event lane.
type Welcome struct {
	V        int         `json:"v"` // protocol version
	Venue    string      `json:"venue"`
	Session  ID          `json:"session"`
	Entity   ID          `json:"entity"` // this client's own avatar; frames do not show it
	User     string      `json:"user"`
	Name     string      `json:"name"`
	Region   string      `json:"region"`
	TimeUS   int64       `json:"time_us"`  // server time at sending
	Tick     uint64      `json:"tick"`     // the newest
	TickUS   int64       `json:"tick_us"`  // length of a tick
	T0US     int64       `json:"t0_us"`    // server time of tick 0: time(tick) = T0US + tick*TickUS
	PhaseUS  int64       `json:"phase_us"` // take samples at this offset within the upload interval
	UploadHz int         `json:"upload_hz"`
	SendHz   int         `json:"send_hz"`
	Lattice  int         `json:"lattice"` // steps a metre
	Resume   string      `json:"resume"`  // token for the next connection, good once
	GraceMS  int64       `json:"grace_ms"`
	Cursor   uint32      `json:"cursor"`  // number of the last key input taken; the next one is Cursor+1
	Resumed  bool        `json:"resumed"` // the session existed
	Full     bool        `json:"full"`    // events were missed: read all state anew
	P        Point       `json:"p"`       // the place given: head position
	Q        Quat        `json:"q"`
	Kinds    []Kind      `json:"kinds"` // Info.Class of an object is an index of it
	ICE      []ICEServer `json:"ice,omitempty"`
}

// Kind is a kind of objects, for showing them.
type Kind struct {
	Name      string    `json:"name"`
	Grabbable bool      `json:"grabbable"`
	Usable    bool      `json:"usable"`
	Shape     string    `json:"shape"` // box, sphere, cylinder
	Size      []float64 `json:"size"`  // 1 or 3 lengths, metres
	Color     string    `json:"color"` // #rrggbb
}

// ICEServer is a STUN or TURN server, as RTCPeerConnection takes it.
type ICEServer struct {
	URLs       []string `json:"urls"`
	Username   string   `json:"username,omitempty"`
	Credential string   `json:"credential,omitempty"`
}

// Append appends the message to dst.
func (w *Welcome) Append(dst []byte) []byte {
	type plain Welcome
	return appendJSON(dst, struct {
		T string `json:"t"`
		*plain
	}{DownWelcome, (*plain)(w)})
}

// Ack says that the region decided a key input ("applied").
type Ack struct {
	Seq  uint32 // the input's n
	Tick uint64 // in which it was decided
	OK   bool   // false: refused, for the reason in Code
	Code Code   // 0 when OK
	Msg  string // for people, optional
	Times
}

// Times say how long an input waited at the server, and how long the tick took that decided it: server time, microseconds. All 0:
// the server does not say.
type Times struct {
	Received int64 // when the gateway had it
	Start    int64 // when the region began the tick
	End      int64 // when the region had decided
}

// Append appends the message to dst.
func (a *Ack) Append(dst []byte) []byte {
	dst = append(dst, `{"t":"ack","seq":`...)
	dst = strconv.AppendUint(dst, uint64(a.Seq), 10)
	dst = append(dst, `,"tick":`...)
	dst = strconv.AppendUint(dst, a.Tick, 10)
	dst = append(dst, `,"ok":`...)
	dst = strconv.AppendBool(dst, a.OK)
	if a.Times != (Times{}) {
		dst = strconv.AppendInt(append(dst, `,"rx":`...), a.Received, 10)
		dst = strconv.AppendInt(append(dst, `,"st":`...), a.Start, 10)
		dst = strconv.AppendInt(append(dst, `,"en":`...), a.End, 10)
	}
	if a.Code != 0 {
		dst = appendCode(dst, a.Code)
	}
	dst = appendMember(dst, "msg", a.Msg)
	return append(dst, '}')
}

// AppendDurable appends the message that everything applied up to tick is in the store.
func AppendDurable(dst []byte, tick uint64) []byte {
	dst = append(dst, `{"t":"durable","tick":`...)
	dst = strconv.AppendUint(dst, tick, 10)
	return append(dst, '}')
}

// AppendError appends an error message: e as the answer to key input seq, 0 if to none.
func AppendError(dst []byte, e *Error, seq uint32) []byte {
	dst = append(dst, `{"t":"error"`...)
	dst = appendCode(dst, e.Code)
	dst = appendMember(dst, "msg", e.Msg)
	dst = appendMember(dst, "field", e.Field)
	if seq != 0 {
		dst = append(dst, `,"seq":`...)
		dst = strconv.AppendUint(dst, uint64(seq), 10)
	}
	return append(dst, '}')
}

// AppendClose appends the last message of a connection. An empty msg becomes the
// code's meaning.
func AppendClose(dst []byte, code Code, msg string) []byte {
	if msg == "" {
		msg = code.Meaning()
	}
	dst = append(dst, `{"t":"close"`...)
	dst = appendCode(dst, code)
	dst = appendMember(dst, "msg", msg)
	dst = appendMember(dst, "retry", code.Retry())
	return append(dst, '}')
}

// AppendResync appends the message that events of a region were missed: what the client knows of
// it is to be read anew from the pose lane.
func AppendResync(dst []byte, region string) []byte {
	dst = append(dst, `{"t":"resync"`...)
	dst = appendMember(dst, "r", region)
	return append(dst, '}')
}

// AppendEvent appends a region's key event as a message for one session: the envelope, and the
// members of e.Body, which must be empty or a JSON object without the envelope's names (t, r, n, ts, tick,
// seq); anything else is left out. seq is there for the session whose input it answers;
// rule is added from e.Rule unless the body has one.
func AppendEvent(dst []byte, region string, e *stream.Event, forSession uint64) []byte {
	dst = append(dst, `{"t":`...)
	dst = appendString(dst, e.Type)
	dst = appendMember(dst, "r", region)
	dst = append(dst, `,"n":`...)
	dst = strconv.AppendUint(dst, e.N, 10)
	dst = append(dst, `,"ts":`...)
	dst = strconv.AppendInt(dst, e.TimeUS, 10)
	dst = append(dst, `,"tick":`...)
	dst = strconv.AppendUint(dst, e.Tick, 10)
	if e.Seq != 0 && e.Session == forSession {
		dst = append(dst, `,"seq":`...)
		dst = strconv.AppendUint(dst, uint64(e.Seq), 10)
	}
	members, hasRule := bodyMembers(e.Body)
	if !hasRule {
		dst = appendMember(dst, "rule", e.Rule)
	}
	if len(members) > 0 {
		dst = append(dst, ',')
		dst = append(dst, members...)
	}
	return append(dst, '}')
}

// bodyMembers returns what is between the braces of a JSON object, nothing for anything else.
func bodyMembers(body []byte) (members []byte, hasRule bool) {
	if len(body) == 0 {
		return nil, false
	}
	fields, err := splitObject(body, len(body))
	if err != nil || len(fields) == 0 {
		return nil, false
	}
	first, last := 0, len(body)-1
	for body[first] != '{' {
		first++
	}
	for body[last] != '}' {
		last--
	}
	return body[first+1 : last], find(fields, "rule") >= 0
}

// appendMember appends ,"name":"value" unless value is empty.
func appendMember(dst []byte, name, value string) []byte {
	if value == "" {
		return dst
	}
	dst = append(dst, ',', '"')
	dst = append(dst, name...)
	dst = append(dst, '"', ':')
	return appendString(dst, value)
}

func appendCode(dst []byte, c Code) []byte {
	dst = append(dst, `,"code":`...)
	dst = strconv.AppendUint(dst, uint64(c), 10)
	return appendMember(dst, "name", c.Name())
}

// appendJSON appends v, a struct of this package that cannot fail to encode but through a
// float that is not finite; then it appends nothing.
func appendJSON(dst []byte, v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		return dst
	}
	return append(dst, b...)
}

// Down is one event-lane message from the server, all types in one struct; what a type does
// not have is zero. Clients ignore types and fields that they do not know: servers may add some
// within a protocol version.
type Down struct {
	T string // one of the Down constants, or something newer

	// Key events.
	Region string // whose event it is
	N      uint64 // number of the event within its region
	TS     int64  // server timeline, microseconds
	Tick   uint64 // also ack, durable
	Seq    uint32 // the own key input that it answers; also ack, error
	Rule   string // name@version of the rule that decided

	Object uint64 // grabbed, released, dropped, denied, state
	By     uint64 // grabbed, released, dropped: the avatar
	Entity uint64 // teleport, joined, left, score
	Door   uint64 // door
	Hand   string // grabbed: "left", "right"
	HasP   bool   // P was there
	P      Point  // released, dropped, teleport, correct
	Q      Quat   // released, dropped, teleport
	Open   bool   // door: where it moves to
	Locked bool   // door
	Value  uint32 // state
	Data   json.RawMessage
	User   string // joined, left
	Why    string // correct
	Board  string // score
	Delta  int64  // score: points, below zero for those taken away

	OK    bool   // ack
	Code  Code   // ack, denied, error, close, correct
	Name  string // name of the code; rule: name of the event; joined: display name
	Msg   string // ack, denied, error, close: for people
	Field string // error: what the message's fault was in
	Retry string // close: one of the Retry constants

	Welcome *Welcome // welcome
	Times   Times    // ack
}

// downJSON is Down as it travels.
type downJSON struct {
	T      string          `json:"t"`
	Region string          `json:"r"`
	N      uint64          `json:"n"`
	TS     int64           `json:"ts"`
	Tick   uint64          `json:"tick"`
	Seq    uint32          `json:"seq"`
	Rule   string          `json:"rule"`
	Object ID              `json:"object"`
	By     ID              `json:"by"`
	Entity ID              `json:"entity"`
	Door   ID              `json:"door"`
	Hand   string          `json:"hand"`
	P      *Point          `json:"p"`
	Q      Quat            `json:"q"`
	Open   bool            `json:"open"`
	Locked bool            `json:"locked"`
	Value  uint32          `json:"value"`
	Data   json.RawMessage `json:"data"`
	User   string          `json:"user"`
	Why    string          `json:"why"`
	Board  string          `json:"board"`
	Delta  int64           `json:"delta"`
	OK     bool            `json:"ok"`
	Code   Code            `json:"code"`
	Name   string          `json:"name"`
	Msg    string          `json:"msg"`
	Field  string          `json:"field"`
	Retry  string          `json:"retry"`
	RX     int64           `json:"rx"`
	ST     int64           `json:"st"`
	EN     int64           `json:"en"`
}

// DecodeDown reads a message from the server. Unknown fields are ignored; an unknown type gives a Down with
// what it has of the known fields. Errors are *Error.
func DecodeDown(b []byte) (*Down, error) {
	if len(b) > MaxWelcome {
		return nil, errorf(CodeBadMessage, "length", "%d bytes; at most %d", len(b), MaxWelcome)
	}
	if !utf8.Valid(b) {
		return nil, errorf(CodeBadMessage, "text", "not UTF-8")
	}
	var head struct {
		T string `json:"t"`
	}
	if err := json.Unmarshal(b, &head); err != nil {
		return nil, errorf(CodeBadMessage, "text", "%v", err)
	}
	switch head.T {
	case "":
		return nil, errorf(CodeBadMessage, "t", "missing: every message says its type")
	case DownWelcome:
		w := new(Welcome)
		if err := json.Unmarshal(b, w); err != nil {
			return nil, errorf(CodeBadMessage, "welcome", "%v", err)
		}
		if w.V != Version {
			return nil, errorf(CodeBadVersion, "v", "the server speaks protocol version %d, this side %d", w.V, Version)
		}
		if w.TickUS <= 0 || w.UploadHz <= 0 || w.SendHz <= 0 || w.Entity == 0 || w.Session == 0 {
			return nil, errorf(CodeBadField, "welcome", "tick_us, upload_hz, send_hz, entity and session must be there and above 0")
		}
		return &Down{T: DownWelcome, Tick: w.Tick, Region: w.Region, Welcome: w}, nil
	}
	var j downJSON
	if err := json.Unmarshal(b, &j); err != nil {
		return nil, errorf(CodeBadMessage, head.T, "%v", err)
	}
	d := &Down{
		T: j.T, Region: j.Region, N: j.N, TS: j.TS, Tick: j.Tick, Seq: j.Seq, Rule: j.Rule,
		Object: uint64(j.Object), By: uint64(j.By), Entity: uint64(j.Entity), Door: uint64(j.Door),
		Hand: j.Hand, Q: j.Q, Open: j.Open, Locked: j.Locked, Value: j.Value, Data: j.Data, User: j.User, Why: j.Why, Board: j.Board, Delta: j.Delta,
		OK: j.OK, Code: j.Code, Name: j.Name, Msg: j.Msg, Field: j.Field, Retry: j.Retry,
		Times: Times{j.RX, j.ST, j.EN},
	}
	if j.P != nil {
		d.HasP, d.P = true, *j.P
	}
	return d, nil
}
