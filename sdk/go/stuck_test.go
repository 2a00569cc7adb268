package client

import (
	"log/slog"
	"testing"
	"testing/synctest"
	"time"
)

// Closing a client ends in bounded time, whatever its transport does.
func TestTransportThatDoesNotEndIsLeftBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		never := make(chan struct{})
		k := &rtcLink{
			ending: newEnding(), opts: &Options{Log: slog.New(slog.DiscardHandler)},
			end: func() error { <-never; return nil },
		}
		start := time.Now()
		k.close()
		if took := time.Since(start); took != endWait {
			t.Errorf("closing took %v, want %v", took, endWait)
		}
		close(never)
	})
}
