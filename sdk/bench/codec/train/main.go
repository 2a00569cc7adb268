// Command train makes the tables of the pose codec, rtc/wire/codec1.json, from made-up motion of every kind. No recording is
// looked at. Tables once published are never trained anew: other tables are another codec, with a number of its own.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"math"
	"math/bits"
	"os"
	"strconv"

	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/rtc/wire"
	"github.com/venued/venued/sdk/motion"
)

const (
	kinds, levels, aheads, buckets = 4, 2, 8, 24
	tables, symbols, maxLength     = 22, 45, 14
	largest                        = 4095
	hz                             = 30
)

// counts are how often each class occurs.
type counts [symbols]float64

func (c *counts) add(o *counts, weight float64) {
	for i, n := range o {
		c[i] += weight * n
	}
}

func (c *counts) total() (n float64) {
	for _, x := range c {
		n += x
	}
	return n
}

// class is rtc/wire's: sizes to 7 each by itself, then four an octave, then escape.
func class(v int32) int {
	size := uint32(max(v, -v))
	switch {
	case size > largest:
		return symbols - 1
	case size < 8:
		return int(size)
	}
	octave := bits.Len32(size) - 1
	return 4*octave - 4 + int(size>>(octave-2))&3
}

// laplace is the distribution over classes of a geometric size, both signs, of a mean.
func laplace(mean float64) (c counts) {
	t := (math.Sqrt(1+mean*mean) - 1) / mean
	p := (1 - t) / (1 + t)
	for size := range int32(largest + 1) {
		if size == 1 {
			p *= 2
		}
		c[class(size)] += p
		p *= t
	}
	c[symbols-1] = 1e-7
	return c
}

func meanOf(table int) float64 { return 0.1 * math.Exp2(float64(table)/2) }

// data is what was counted in each context; level -1 is put into blind.
type data struct {
	motion [kinds][levels][aheads][buckets]counts
	blind  [kinds][aheads]counts
}

func main() {
	log.SetFlags(0)
	out := flag.String("out", "rtc/wire/codec1.json", "file to write")
	people := flag.Int("people", 12, "people of each kind")
	seconds := flag.Int("seconds", 60, "how long each is watched")
	flag.Parse()
	var d data
	for _, kind := range motion.Kinds {
		for i := range *people {
			// Seeds of its own: what benchmarks make up is other motion.
			d.watch(motion.NewPerson(kind, 1_000_000+uint64(i)), *seconds)
		}
	}
	file := d.train()
	b, err := json.MarshalIndent(file, "", " ")
	if err == nil {
		err = os.WriteFile(*out, append(b, '\n'), 0o644)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// watch counts the differences of a person at every age of the baseline, with full and partial pasts.
func (d *data) watch(p *motion.Person, seconds int) {
	states := make([]stream.State, seconds*hz)
	for i := range states {
		s := p.Step(1.0 / hz)
		body, err := s.Body()
		if err != nil {
			log.Fatal(err)
		}
		states[i].Body = body
	}
	count := func(c wire.Context, v int32) {
		to := &d.blind[c.Kind][c.Ahead]
		if c.Level >= 0 {
			to = &d.motion[c.Kind][c.Level][c.Ahead][c.Bucket]
		}
		to[class(v)]++
	}
	for t := range states {
		for ahead := 1; ahead <= aheads; ahead++ {
			for _, gap := range []int{1, 1, 2} {
				for n := range wire.PastStates {
					if n == 2 && t%2 == 0 { // D is seldom missing
						continue
					}
					var past wire.Past
					for i := range n + 1 {
						if at := t - ahead - i*gap; at >= 0 {
							past.Push(&states[at], uint32(at))
						}
					}
					if past.N == n+1 {
						wire.Survey(&states[t], uint32(t), &past, count)
					}
				}
			}
		}
	}
}

type file struct {
	Comment string                        `json:"comment"`
	Codec   int                           `json:"codec"`
	Lengths [tables]string                `json:"lengths"`
	Motion  [kinds][levels][aheads]string `json:"motion"`
	Blind   [kinds]string                 `json:"blind"`
	Age     string                        `json:"age"`
}

func (d *data) train() *file {
	var shapes [tables]counts
	var costs [tables][symbols]float64
	for t := range shapes {
		shapes[t] = shape(t)
	}
	var choice [kinds][levels][aheads][buckets]int
	var blind [kinds][aheads]int
	var lengths [tables][symbols]int
	for t := range shapes {
		lengths[t] = huffman(&shapes[t])
		for s := range costs[t] {
			costs[t][s] = float64(lengths[t][s]) + open(s)
		}
	}
	for k := range kinds {
		for a := range aheads {
			blind[k][a] = cheapest(&costs, &d.blind[k][a])
			for l := range levels {
				row := &d.motion[k][l][a]
				for b := range row {
					choice[k][l][a][b] = cheapest(&costs, smooth(row, b))
					if b > 0 { // what changes more is expected to miss more
						choice[k][l][a][b] = max(choice[k][l][a][b], choice[k][l][a][b-1])
					}
				}
			}
		}
	}
	f := &file{
		Comment: "Made by sdk/bench/codec/train. Digits to base 36. lengths: of the codes of a table's classes. motion: tables by kind of group (head place, hand place, head turn, hand turn), level, ticks ahead less 1, bucket. blind: tables by kind and ticks ahead less 1. age: a table.",
		Codec:   wire.Codec,
	}
	digit := func(v int) string { return strconv.FormatInt(int64(v), 36) }
	for t := range tables {
		for _, n := range lengths[t] {
			f.Lengths[t] += digit(n)
		}
	}
	for k := range kinds {
		for a := range aheads {
			f.Blind[k] += digit(blind[k][a])
			for l := range levels {
				for b := range buckets {
					f.Motion[k][l][a] += digit(choice[k][l][a][b])
				}
			}
		}
	}
	ages := laplace(4) // sampling jitter of a few milliseconds
	f.Age = digit(cheapest(&costs, &ages))
	report(d, &choice, &costs)
	return f
}

// open is how many bits a class leaves open, its sign included.
func open(s int) float64 {
	switch {
	case s == 0:
		return 0
	case s == symbols-1:
		return 32
	case s < 8:
		return 1
	}
	return float64(s/4 - 1 + 1)
}

// gauss is the distribution over classes of a rounded normal size of a mean magnitude.
func gauss(mean float64) (c counts) {
	z := 1 / (mean * math.Sqrt(math.Pi))
	p := math.Erf(0.5 * z)
	c[0] = p
	for size := int32(1); size <= largest; size++ {
		q := math.Erf((float64(size) + 0.5) * z)
		c[class(size)] += q - p
		p = q
	}
	return c
}

// shape is the distribution of a table: between normal and two-sided exponential, with a thin wide tail, so
// that what training never saw is dear, not ruinous.
func shape(t int) (c counts) {
	parts := []struct {
		of      func(float64) counts
		octaves float64
		weight  float64
	}{{gauss, 0, 0.4}, {laplace, 0, 0.5}, {laplace, 1, 0.07}, {laplace, 2, 0.02}, {laplace, 4, 0.01}}
	for _, part := range parts {
		l := part.of(meanOf(t) * math.Exp2(part.octaves))
		c.add(&l, part.weight)
	}
	for s := range c {
		c[s] += 1e-5
	}
	return c
}

// smooth is the counts of a bucket with some of its neighbours', all of theirs where it has few.
func smooth(row *[buckets]counts, b int) *counts {
	var c counts
	c.add(&row[b], 1)
	for far := 1; far < buckets && c.total() < 400; far++ {
		for _, at := range []int{b - far, b + far} {
			if at >= 0 && at < buckets {
				c.add(&row[at], 1/float64(1+far))
			}
		}
	}
	return &c
}

func cheapest(costs *[tables][symbols]float64, c *counts) int {
	best, least := 0, math.Inf(1)
	for t := range costs {
		cost := 0.0
		for s, n := range c {
			cost += n * costs[t][s]
		}
		if cost < least {
			best, least = t, cost
		}
	}
	return best
}

// report says what the tables would cost, beside the entropy of each context.
func report(d *data, choice *[kinds][levels][aheads][buckets]int, costs *[tables][symbols]float64) {
	for _, a := range []int{0, 1, 3} {
		for k := range kinds {
			var n, cost, entropy float64
			for b := range buckets {
				c := &d.motion[k][1][a][b]
				total := c.total()
				n += total
				for s, x := range c {
					if x > 0 {
						cost += x * costs[choice[k][1][a][b]][s]
						entropy += x * (math.Log2(total/x) + open(s))
					}
				}
			}
			fmt.Printf("ahead %d kind %d: %.3f bits a number, entropy %.3f\n", a+1, k, cost/n, entropy/n)
		}
	}
}
