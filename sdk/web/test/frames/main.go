// Command frames is the Go side of the codec tests of the TypeScript client.
//
//	frames write -seed 1 -frames 100000 FILE    writes frames and what Go reads of them
//	frames check FILE                           reads poses that the other side wrote, with what it meant
//
// What a side reads or means is a digest over all of its fields, so a file of a hundred thousand
// frames stays small and any difference shows, with the number of the frame.
package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"os"

	"github.com/venued/venued/lattice"
	"github.com/venued/venued/rtc/wire"
)

// Kinds of entries of the file that write makes.
const (
	entryView  = 0 // a new connection: a View that has seen nothing
	entryFrame = 1 // length (2 bytes), frame, result (4), digest (8)
)

// Results of a frame that are no error code.
const (
	resultApplied = 0
	resultStale   = 1
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("frames: ")
	if len(os.Args) < 2 {
		log.Fatal("want a command: write or check")
	}
	flags := flag.NewFlagSet(os.Args[1], flag.ExitOnError)
	seed := flags.Uint64("seed", 1, "seed of everything")
	frames := flags.Int("frames", 100_000, "how many frames to write")
	if err := flags.Parse(os.Args[2:]); err != nil {
		log.Fatal(err)
	}
	if flags.NArg() != 1 {
		log.Fatal("want one file")
	}
	var err error
	switch os.Args[1] {
	case "write":
		err = write(flags.Arg(0), *seed, *frames)
	case "check":
		err = check(flags.Arg(0))
	default:
		err = fmt.Errorf("unknown command %q: want write or check", os.Args[1])
	}
	if err != nil {
		log.Fatal(err)
	}
}

// digest is two independent 32-bit hashes over words, easy to make in any language.
type digest struct{ a, b uint32 }

func newDigest() digest { return digest{2166136261, 0x9747b28c} }

func (d *digest) add(word uint32) {
	d.a = (d.a ^ word) * 16777619
	d.b = (d.b<<5 | d.b>>27) + word*0x85ebca6b
}

func (d *digest) text(s string) {
	d.add(uint32(len(s)))
	for i := range len(s) {
		d.add(uint32(s[i]))
	}
}

func (d *digest) id(id uint64) { d.add(uint32(id)); d.add(uint32(id >> 32)) }

func (d *digest) body(b *lattice.Body) {
	for _, j := range [3]*lattice.Joint{&b.Head, &b.Left, &b.Right} {
		d.add(uint32(j.Pos.X))
		d.add(uint32(j.Pos.Y))
		d.add(uint32(j.Pos.Z))
		d.add(uint32(j.Rot.Largest))
		for _, c := range j.Rot.C {
			d.add(uint32(int32(c)))
		}
	}
}

func (d *digest) record(r *wire.Record) {
	d.add(uint32(r.Op))
	d.add(uint32(r.Handle))
	d.id(r.Info.ID)
	d.add(uint32(r.Info.Kind))
	d.add(uint32(r.Info.Class))
	d.text(r.Info.Name)
	d.body(&r.State.Body)
	d.add(uint32(r.State.AgeMS))
	d.add(uint32(r.State.Flags))
	d.id(r.State.Holder)
	d.add(r.State.Value)
}

// write makes connection after connection until enough frames are written.
func write(path string, seed uint64, frames int) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	out := bufio.NewWriterSize(f, 1<<20)
	g := generator{rng: rand.New(rand.NewPCG(seed, 1)), out: out}
	for g.written < frames {
		g.connection(min(frames-g.written, 200+g.rng.IntN(600)))
	}
	if err := out.Flush(); err != nil {
		return err
	}
	fmt.Printf("%d frames, %d records, %d refused, %d stale\n", g.written, g.records, g.refused, g.stale)
	return nil
}

// deliver applies one frame to the Go view and writes it with what that made of it.
func (g *generator) deliver(view *wire.View, frame []byte) {
	d := newDigest()
	result := uint32(resultApplied)
	h, err := view.Apply(frame, func(r wire.Record) {
		d.record(&r)
		g.records++
	})
	var bad *wire.Error
	switch {
	case errors.Is(err, wire.ErrStale):
		result = resultStale
		g.stale++
	case errors.As(err, &bad):
		result = uint32(bad.Code)
		d.text(bad.Field)
		g.refused++
	default:
		d.add(h.Tick)
		d.add(uint32(h.PoseSeq))
	}
	if ok, seq, bits := view.Ack(); ok {
		d.add(uint32(seq))
		d.add(bits)
	}
	d.add(uint32(view.Len()))
	b := []byte{entryFrame}
	b = binary.LittleEndian.AppendUint16(b, uint16(len(frame)))
	b = append(b, frame...)
	b = binary.LittleEndian.AppendUint32(b, result)
	b = binary.LittleEndian.AppendUint32(b, d.a)
	b = binary.LittleEndian.AppendUint32(b, d.b)
	g.out.Write(b) //nolint:errcheck // Flush tells
	g.written++
}

// check reads entries of a length (2 bytes), a pose and a digest of what it was made of.
func check(path string) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	n := 0
	for ; len(b) > 0; n++ {
		if len(b) < 2 {
			return io.ErrUnexpectedEOF
		}
		size := int(binary.LittleEndian.Uint16(b))
		if len(b) < 2+size+8 {
			return io.ErrUnexpectedEOF
		}
		msg, want := b[2:2+size], b[2+size:]
		var p wire.Pose
		if err := wire.DecodePose(msg, &p); err != nil {
			return fmt.Errorf("pose %d, %x: %w", n, msg, err)
		}
		d := newDigest()
		d.add(uint32(p.Seq))
		d.add(p.Stamp)
		if p.HasAck {
			d.add(uint32(p.AckSeq))
			d.add(p.AckBits)
		}
		d.body(&p.Body)
		if d.a != binary.LittleEndian.Uint32(want) || d.b != binary.LittleEndian.Uint32(want[4:]) {
			return fmt.Errorf("pose %d, %x, reads as %+v, which is not what was written", n, msg, p)
		}
		if again := wire.AppendPose(nil, &p); string(again) != string(msg) {
			return fmt.Errorf("pose %d is written %x here, %x there", n, again, msg)
		}
		b = b[2+size+8:]
	}
	fmt.Printf("%d poses\n", n)
	return nil
}
