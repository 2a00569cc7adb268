package client_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
	"github.com/venued/venued/rtc/wire"
	client "github.com/venued/venued/sdk/go"
)

// Join a venue with the link that `venued serve` prints, and print who is there.
func ExampleDial() {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	c, err := client.Dial(ctx, client.Options{
		URL:  "http://127.0.0.1:7878/#token=...",
		User: "guide-1", Name: "Guide",
	})
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	for e := range c.Events() {
		switch e.T {
		case client.EventConnected:
			w := c.Welcome()
			fmt.Println("in", w.Venue, "as", w.Name, "resumed:", e.Resumed)
		case client.EventLost:
			fmt.Println("lost:", e.Err) // it comes back by itself
		case wire.DownGrabbed:
			fmt.Println(e.By, "took", e.Object, "by rule", e.Rule)
		}
	}
	fmt.Println("ended:", c.Err())
}

// Walk: the pose function is asked once a sample, at the phase the venue assigned.
func ExampleOptions_pose() {
	var start lattice.Vec
	opts := client.Options{
		URL:       "http://127.0.0.1:7878/#token=...",
		OnWelcome: func(w *wire.Welcome) { start = lattice.Vec(w.P) }, // before the first sample
		Pose: func(serverUS int64) lattice.Body {
			head := start
			head.X += int32(serverUS % 10_000_000 * lattice.Steps / 10_000_000) // a metre in ten seconds, again and again
			hand := lattice.Joint{Pos: head.Add(lattice.Vec{Y: -lattice.Steps / 2})}
			return lattice.Body{Head: lattice.Joint{Pos: head}, Left: hand, Right: hand}
		},
		OnFrame: func(f *client.Frame) {
			for _, r := range f.Records {
				if r.Info.Kind == stream.Avatar {
					x, _, z := r.State.Body.Head.Pos.Metres()
					fmt.Printf("%s at %.2f, %.2f, %d ms ago\n", r.Info.Name, x, z, (f.ReceivedUS-f.TickUS)/1000+int64(r.State.AgeMS))
				}
			}
		},
	}
	c, err := client.Dial(context.Background(), opts)
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	<-c.Done()
}

// Grab: what a rule decides, and when it is safe against a crash.
func ExampleClient_Grab() {
	c, err := client.Dial(context.Background(), client.Options{URL: "http://127.0.0.1:7878/#token=..."})
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	for _, e := range c.Entities() {
		if e.Info.Kind != stream.Object || e.State.Holder != 0 {
			continue
		}
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		r, err := c.Grab(e.Info.ID, 1, e.State.Body.Head) // with the right hand at the object
		if err != nil {
			log.Fatal(err)
		}
		out, err := r.Applied(ctx)
		switch {
		case err != nil:
			log.Fatal(err)
		case !out.OK:
			fmt.Println("denied:", out.Code.Meaning())
		default:
			fmt.Println("mine, in tick", out.Tick)
			if r.Durable(ctx) == nil {
				fmt.Println("and still mine after a crash of the server")
			}
		}
		return
	}
}
