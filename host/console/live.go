package console

import (
	"encoding/json"
	"time"

	"github.com/labstack/echo/v4"
)

// Bounds of live streams.
const (
	maxReaders   = 16
	readerQueue  = 64               // events that wait for a reader: about six seconds of them
	writeTimeout = 10 * time.Second // of one event
	maxLogBurst  = 100              // lines a beat; the rest of a burst is read with GET /log
)

// reader is one who watches.
type reader struct {
	queue chan []byte
	lost  chan struct{} // closed when it was too slow
}

// event encodes a server-sent event.
func event(name string, v any) ([]byte, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	b := make([]byte, 0, len(name)+len(data)+16)
	b = append(append(append(b, "event: "...), name...), "\ndata: "...)
	return append(append(b, data...), "\n\n"...), nil
}

// broadcast hands an event to everybody who watches. It runs on the console's goroutine.
func (c *Console) broadcast(name string, v any) {
	if len(c.readers) == 0 {
		return
	}
	b, err := event(name, v)
	if err != nil {
		c.log.Error("console event not encoded", "event", name, "error", err)
		return
	}
	for r := range c.readers {
		c.hand(r, b)
	}
}

func (c *Console) hand(r *reader, b []byte) {
	select {
	case r.queue <- b:
	default:
		delete(c.readers, r)
		close(r.lost)
		c.log.Debug("console reader closed: too slow")
	}
}

// watch begins a stream with the whole map; nil when there are too many.
func (c *Console) watch() *reader {
	r := &reader{queue: make(chan []byte, readerQueue), lost: make(chan struct{})}
	if c.openReaders.Add(1) > maxReaders {
		c.openReaders.Add(-1)
		return nil
	}
	c.run(func() {
		c.tellChange() // what the map shows counts as told: its end must be too
		b, err := event("map", c.floor.state())
		if err != nil {
			c.log.Error("console map not encoded", "error", err)
			close(r.lost)
			return
		}
		c.readers[r] = struct{}{}
		c.hand(r, b)
	})
	return r
}

func (c *Console) unwatch(r *reader) {
	c.run(func() { delete(c.readers, r) })
	c.openReaders.Add(-1)
}

// getLive streams what happens until the reader goes, falls behind, logs out, or the console stops.
func (c *Console) getLive(e echo.Context) error {
	r := c.watch()
	if r == nil {
		return tooManyStreams()
	}
	defer c.unwatch(r)
	s := c.stream(e)
	for {
		select {
		case b := <-r.queue:
			if !s.send(b) {
				return nil
			}
		case <-r.lost:
			return nil
		case <-s.over:
			return nil
		case <-e.Request().Context().Done():
			return nil
		case <-c.stopped:
			return nil
		}
	}
}

// beat tells what has changed since the last one.
func (c *Console) beat() {
	c.tellChange()
	if len(c.readers) == 0 {
		c.logN = c.tail.last()
		return
	}
	lines := c.tail.After(c.logN)
	if n := len(lines); n > 0 {
		c.logN = lines[n-1].N
		for _, l := range lines[max(0, n-maxLogBurst):] {
			c.broadcast("log", l)
		}
	}
}

// tellChange tells what is different on the map, to nobody if nobody looks.
func (c *Console) tellChange() {
	if change := c.floor.change(); change != nil {
		c.broadcast("change", change)
	}
}
