package bus

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"
	"pgregory.net/rapid"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// start gives a server and n connections that end with the test.
func start(t testing.TB, o Options, n int) []*Conn {
	t.Helper()
	s, err := StartEmbedded(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Stop)
	conns := make([]*Conn, n)
	for i := range conns {
		if conns[i], err = s.Connect("test"); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(conns[i].Close)
	}
	return conns
}

func flush(t testing.TB, c *Conn) {
	t.Helper()
	if err := c.Flush(context.Background()); err != nil {
		t.Fatal(err)
	}
}

func TestOrderIsKeptForEverySubscriber(t *testing.T) {
	c := start(t, Options{}, 4)
	const count = 2000
	var all sync.WaitGroup
	for _, reader := range c[1:] {
		all.Add(1)
		next := uint32(0)
		if _, err := reader.Subscribe(Records("hall", "main"), func(m Msg) {
			if got := binary.LittleEndian.Uint32(m.Data); got != next {
				t.Errorf("got message %d, want %d", got, next)
			}
			if next++; next == count {
				all.Done()
			}
		}); err != nil {
			t.Fatal(err)
		}
		flush(t, reader)
	}
	buf := make([]byte, 4)
	for i := range uint32(count) {
		// The same buffer each time: Publish must have copied it.
		binary.LittleEndian.PutUint32(buf, i)
		if err := c[0].Publish(Records("hall", "main"), buf); err != nil {
			t.Fatal(err)
		}
	}
	flush(t, c[0])
	all.Wait()
}

func TestRequest(t *testing.T) {
	c := start(t, Options{}, 2)
	ctx := context.Background()
	if _, err := c[0].Request(ctx, Key("hall", "main"), nil); !errors.Is(err, ErrNoResponders) {
		t.Fatalf("nobody there: %v, want ErrNoResponders", err)
	}
	sub, err := c[1].Handle(Key("hall", "main"), func(m Msg) ([]byte, error) {
		if len(m.Data) == 0 {
			return nil, errors.New("no key frame\nyet")
		}
		return bytes.ToUpper(m.Data), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	flush(t, c[1])
	got, err := c[0].Request(ctx, Key("hall", "main"), []byte("abc"))
	if err != nil || string(got) != "ABC" {
		t.Fatalf("got %q, %v", got, err)
	}
	_, err = c[0].Request(ctx, Key("hall", "main"), nil)
	var remote *RemoteError
	if !errors.As(err, &remote) || remote.Text != "no key frame yet" {
		t.Fatalf("got %v, want the handler's error on one line", err)
	}
	sub.Stop()
	flush(t, c[1])
	if _, err := c[0].Request(ctx, Key("hall", "main"), []byte("abc")); !errors.Is(err, ErrNoResponders) {
		t.Fatalf("after Stop: %v, want ErrNoResponders", err)
	}
}

func TestRequestEndsWithItsContext(t *testing.T) {
	c := start(t, Options{}, 2)
	ctx, cancel := context.WithCancel(context.Background())
	release := make(chan struct{})
	if _, err := c[1].Handle("slow", func(Msg) ([]byte, error) { cancel(); <-release; return nil, nil }); err != nil {
		t.Fatal(err)
	}
	flush(t, c[1])
	if _, err := c[0].Request(ctx, "slow", nil); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v, want context.Canceled", err)
	}
	close(release)
}

func TestMessageSizes(t *testing.T) {
	c := start(t, Options{}, 2)
	got := make(chan int, 1)
	if _, err := c[1].Subscribe("big", func(m Msg) { got <- len(m.Data) }); err != nil {
		t.Fatal(err)
	}
	flush(t, c[1])
	big := make([]byte, MaxMessage)
	if err := c[0].Publish("big", big); err != nil {
		t.Fatal(err)
	}
	if n := <-got; n != MaxMessage {
		t.Fatalf("%d bytes arrived, want %d", n, MaxMessage)
	}
	big = append(big, 0)
	if err := c[0].Publish("big", big); !errors.Is(err, ErrTooLarge) {
		t.Fatalf("publish: %v, want ErrTooLarge", err)
	}
	if _, err := c[0].Request(context.Background(), "big", big); !errors.Is(err, ErrTooLarge) {
		t.Fatalf("request: %v, want ErrTooLarge", err)
	}
	if _, err := c[1].Handle("answer", func(Msg) ([]byte, error) { return big, nil }); err != nil {
		t.Fatal(err)
	}
	flush(t, c[1])
	_, err := c[0].Request(context.Background(), "answer", nil)
	var remote *RemoteError
	if !errors.As(err, &remote) || !strings.Contains(remote.Text, "above the bus limit") {
		t.Fatalf("answer above the limit: %v", err)
	}
}

func TestSlowReaderLosesTheNewestAndIsReported(t *testing.T) {
	slow := make(chan uint64, 1)
	c := start(t, Options{Slow: func(_, subject string, n uint64) {
		if subject == "flood" {
			select {
			case slow <- n:
			default:
			}
		}
	}}, 2)
	entered, release := make(chan struct{}), make(chan struct{})
	next := make(chan uint32, PendingMessages+200)
	first := true
	sub, err := c[1].Subscribe("flood", func(m Msg) {
		if first {
			first = false
			close(entered)
			<-release
		}
		next <- binary.LittleEndian.Uint32(m.Data)
	})
	if err != nil {
		t.Fatal(err)
	}
	flush(t, c[1])
	send := func(from, to uint32) {
		buf := make([]byte, 4)
		for i := from; i < to; i++ {
			binary.LittleEndian.PutUint32(buf, i)
			if err := c[0].Publish("flood", buf); err != nil {
				t.Fatal(err)
			}
		}
		flush(t, c[0])
	}
	send(0, 1)
	<-entered
	send(1, 1+PendingMessages+100)
	flush(t, c[1]) // everything sent has reached the reader's queue or was dropped
	if n := <-slow; n == 0 {
		t.Fatal("reported no dropped message")
	}
	dropped := uint32(sub.Dropped())
	if dropped == 0 || dropped > 101 {
		t.Fatalf("%d dropped, want 1 to 101", dropped)
	}
	close(release)
	for want := range 1 + PendingMessages + 100 - dropped {
		if got := <-next; got != want {
			t.Fatalf("message %d arrived, want %d: an old one was dropped instead of the newest", got, want)
		}
	}
}

func TestClosedConnection(t *testing.T) {
	c := start(t, Options{}, 1)[0]
	c.Close()
	c.Close()
	if err := c.Publish("x", nil); !errors.Is(err, ErrClosed) {
		t.Errorf("Publish: %v", err)
	}
	if _, err := c.Subscribe("x", func(Msg) {}); !errors.Is(err, ErrClosed) {
		t.Errorf("Subscribe: %v", err)
	}
	if _, err := c.Request(context.Background(), "x", nil); !errors.Is(err, ErrClosed) {
		t.Errorf("Request: %v", err)
	}
}

func TestSubjectsNeverMix(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := [2]string{rapid.String().Draw(t, "venue"), rapid.String().Draw(t, "region")}
		b := [2]string{rapid.String().Draw(t, "venue2"), rapid.String().Draw(t, "region2")}
		sa, sb := Inputs(a[0], a[1]), Inputs(b[0], b[1])
		if (sa == sb) != (a == b) {
			t.Fatalf("%q -> %s, %q -> %s", a, sa, b, sb)
		}
		if strings.Count(sa, ".") != 3 || strings.ContainsAny(sa, "*> \t\r\n") {
			t.Fatalf("%q -> %q is not a plain subject of four tokens", a, sa)
		}
	})
}

// BenchmarkDeliver is one record of a busy tick (7,500 bytes, 300 changed people) from
// a region to a gateway and back to idle, against a Go channel and a copy of
// the bytes: the price of speaking through the bus in a single process.
func BenchmarkDeliver(b *testing.B) {
	record := make([]byte, 7500)
	var ns [2]float64
	b.Run("channel", func(b *testing.B) {
		ch, done := make(chan []byte, 64), make(chan struct{})
		go func() {
			for range ch {
				done <- struct{}{}
			}
		}()
		b.ReportAllocs()
		for b.Loop() {
			ch <- bytes.Clone(record)
			<-done
		}
		close(ch)
		ns[0] = float64(b.Elapsed().Nanoseconds()) / float64(b.N)
	})
	b.Run("bus", func(b *testing.B) {
		c := start(b, Options{}, 2)
		done := make(chan struct{}, 1)
		if _, err := c[1].Subscribe("rec", func(Msg) { done <- struct{}{} }); err != nil {
			b.Fatal(err)
		}
		flush(b, c[1])
		b.ReportAllocs()
		for b.Loop() {
			if err := c[0].Publish("rec", record); err != nil {
				b.Fatal(err)
			}
			<-done
		}
		ns[1] = float64(b.Elapsed().Nanoseconds()) / float64(b.N)
		b.ReportMetric(ns[1]/ns[0], "x-channel")
	})
}
