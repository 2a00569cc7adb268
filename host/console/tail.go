package console

import (
	"bytes"
	"cmp"
	"context"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
)

// Bounds of the tail.
const (
	tailLines = 500
	maxLine   = 4096 // bytes of a message, and of its fields
	ruleLines = 200  // lines that are kept of each rule,
	maxRules  = 128  // of so many; lines of more are in the whole log only
)

// ruleKey is the field that says which rule a line is of.
const ruleKey = "rule"

// Tail keeps the newest lines of a process's log. Make one with NewTail and log through its Handler.
type Tail struct {
	mu      sync.Mutex
	n       int64
	ring    [tailLines]LogLine
	rules   map[string][]LogLine       // the newest of each rule, oldest first
	waiting map[chan struct{}]struct{} // woken by every line
	buf     bytes.Buffer               // of the record being formatted
}

// NewTail returns an empty tail.
func NewTail() *Tail {
	return &Tail{rules: map[string][]LogLine{}, waiting: map[chan struct{}]struct{}{}}
}

// Handler passes records on to next and keeps those that next takes.
func (t *Tail) Handler(next slog.Handler) slog.Handler {
	text := slog.NewTextHandler(&t.buf, &slog.HandlerOptions{
		Level: slog.LevelDebug,
		ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
			if len(groups) == 0 && (a.Key == slog.TimeKey || a.Key == slog.LevelKey || a.Key == slog.MessageKey) {
				return slog.Attr{}
			}
			return a
		},
	})
	return &tailHandler{tail: t, next: next, text: text}
}

// After returns the kept lines with numbers above n, in their order.
func (t *Tail) After(n int64) []LogLine {
	t.mu.Lock()
	defer t.mu.Unlock()
	out := []LogLine{}
	for i := max(n+1, t.n-tailLines+1, 1); i <= t.n; i++ {
		out = append(out, t.ring[i%tailLines])
	}
	return out
}

// AfterOf returns the kept lines of a rule with numbers above n, in their order.
func (t *Tail) AfterOf(rule string, n int64) []LogLine {
	t.mu.Lock()
	defer t.mu.Unlock()
	list := t.rules[rule]
	i, _ := slices.BinarySearchFunc(list, n+1, func(l LogLine, n int64) int { return cmp.Compare(l.N, n) })
	return slices.Clone(list[i:])
}

// watch returns what is sent to, at most once until it was received, when a line has come.
func (t *Tail) watch() (woken <-chan struct{}, stop func()) {
	ch := make(chan struct{}, 1)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.waiting[ch] = struct{}{}
	return ch, func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		delete(t.waiting, ch)
	}
}

// tailHandler formats a record's fields as the text handler does, which quotes what is not printable.
type tailHandler struct {
	tail *Tail
	next slog.Handler
	text slog.Handler // writes to tail.buf; guarded by tail.mu
	rule string       // of every line, "" for none
}

func (h *tailHandler) Enabled(ctx context.Context, l slog.Level) bool { return h.next.Enabled(ctx, l) }

func (h *tailHandler) Handle(ctx context.Context, r slog.Record) error {
	h.keep(ctx, r)
	return h.next.Handle(ctx, r)
}

func (h *tailHandler) keep(ctx context.Context, r slog.Record) {
	t := h.tail
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf.Reset()
	if h.text.Handle(ctx, r) != nil {
		return // a buffer takes every write; next still has the record
	}
	t.n++
	line := LogLine{
		N: t.n, Time: r.Time.UTC().Truncate(time.Millisecond), Level: r.Level.String(),
		Message: cut(printable(r.Message)), Fields: cut(printable(strings.TrimSpace(t.buf.String()))),
	}
	t.ring[t.n%tailLines] = line
	rule := h.rule
	r.Attrs(func(a slog.Attr) bool {
		if a.Key == ruleKey && a.Value.Kind() == slog.KindString {
			rule = a.Value.String()
		}
		return true
	})
	t.keepOf(rule, line)
	for ch := range t.waiting {
		select {
		case ch <- struct{}{}:
		default: // it has not seen the one before either
		}
	}
}

// keepOf keeps a line of a rule. t.mu is held.
func (t *Tail) keepOf(rule string, line LogLine) {
	list, known := t.rules[rule]
	if rule == "" || !known && len(t.rules) >= maxRules {
		return
	}
	if len(list) == ruleLines {
		list = slices.Delete(list, 0, 1)
	}
	t.rules[rule] = append(list, line)
}

func (h *tailHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	rule := h.rule
	for _, a := range attrs {
		if a.Key == ruleKey && a.Value.Kind() == slog.KindString {
			rule = a.Value.String()
		}
	}
	return &tailHandler{tail: h.tail, next: h.next.WithAttrs(attrs), text: h.text.WithAttrs(attrs), rule: rule}
}

func (h *tailHandler) WithGroup(name string) slog.Handler {
	return &tailHandler{tail: h.tail, next: h.next.WithGroup(name), text: h.text.WithGroup(name), rule: h.rule}
}

// printable writes control characters as escapes: no line can look like two, or move a terminal's cursor.
func printable(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if unicode.IsPrint(r) {
			b.WriteRune(r)
			continue
		}
		q := strconv.QuoteRuneToASCII(r)
		b.WriteString(q[1 : len(q)-1])
	}
	return b.String()
}

// cut shortens a text to maxLine bytes.
func cut(s string) string {
	if len(s) <= maxLine {
		return s
	}
	return strings.ToValidUTF8(s[:maxLine], "") + "…"
}

// last returns the number of the newest line.
func (t *Tail) last() int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.n
}
