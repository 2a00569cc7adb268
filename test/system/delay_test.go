package system

import (
	"io"
	"net"
	"net/url"
	"sync"
	"testing"
	"time"
)

// delayed listens on a port of its own and passes every connection on to target
// (a URL), each byte later by delay, both ways: a network that is that far away. It returns
// the URL to use instead.
func delayed(t *testing.T, target string, delay time.Duration) string {
	t.Helper()
	u, err := url.Parse(target)
	if err != nil {
		t.Fatal(err)
	}
	host := u.Host
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var (
		wg    sync.WaitGroup
		mu    sync.Mutex
		conns []net.Conn
	)
	keep := func(c net.Conn) {
		mu.Lock()
		defer mu.Unlock()
		conns = append(conns, c)
	}
	t.Cleanup(func() {
		l.Close()
		mu.Lock()
		for _, c := range conns {
			c.Close()
		}
		mu.Unlock()
		wg.Wait()
	})
	wg.Go(func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", host)
			if err != nil {
				near.Close()
				continue
			}
			keep(near)
			keep(far)
			wg.Go(func() { carry(far, near, delay) })
			wg.Go(func() { carry(near, far, delay) })
		}
	})
	u.Host = l.Addr().String()
	return u.String()
}

// carry copies from src to dst, each read delivered delay after it was made.
func carry(dst io.WriteCloser, src io.Reader, delay time.Duration) {
	type parcel struct {
		due  time.Time
		data []byte
	}
	queue := make(chan parcel, 4096)
	go func() {
		defer close(queue)
		for {
			buf := make([]byte, 4096)
			n, err := src.Read(buf)
			if n > 0 {
				queue <- parcel{time.Now().Add(delay), buf[:n]}
			}
			if err != nil {
				return
			}
		}
	}()
	defer dst.Close()
	for p := range queue {
		<-time.After(time.Until(p.due))
		if _, err := dst.Write(p.data); err != nil {
			for range queue { // let the reader end
			}
			return
		}
	}
}
