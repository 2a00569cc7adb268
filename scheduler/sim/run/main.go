// Command run simulates clusters seed by seed and says what broke.
//
//	run [-seeds n] [-from n] [-plant name] [-trace]
package main

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/venued/venued/scheduler/sim"
)

func main() {
	seeds := flag.Uint64("seeds", 1000, "how many seeds")
	from := flag.Uint64("from", 1, "the first seed")
	name := flag.String("plant", "", "a planted fault, by name")
	trace := flag.Bool("trace", false, "print everything that happens; for one seed")
	flag.Parse()
	var plant sim.Plant
	if *name != "" {
		var ok bool
		if plant, ok = sim.PlantNamed(*name); !ok {
			fmt.Fprintf(os.Stderr, "no planted fault is called %q; there are:\n", *name)
			for _, p := range sim.Planted {
				fmt.Fprintf(os.Stderr, "  %-22s %s\n", p.Name, p.What)
			}
			os.Exit(2)
		}
	}
	var out func(string)
	if *trace {
		out = func(s string) { fmt.Println(s) }
	}
	began, events, broken, moves := time.Now(), 0, 0, 0
	var pauses []int64
	for seed := *from; seed < *from+*seeds; seed++ {
		r := sim.Run(seed, plant, out)
		events, moves, pauses = events+r.Events, moves+r.Moves, append(pauses, r.PausesUS...)
		if len(r.Violations) > 0 {
			broken++
			fmt.Printf("%s\n  again: go run ./scheduler/sim/run -from %d -seeds 1 -trace", r, seed)
			if *name != "" {
				fmt.Printf(" -plant %s", *name)
			}
			fmt.Println()
		}
	}
	if n := len(pauses); n > 0 {
		slices.Sort(pauses)
		fmt.Printf("moves %d; %d of them ended before anything crashed: pause in virtual ms p50 %.1f p90 %.1f p99 %.1f max %.1f\n",
			moves, n, float64(pauses[n/2])/1e3, float64(pauses[n*9/10])/1e3, float64(pauses[n*99/100])/1e3, float64(pauses[n-1])/1e3)
	}
	took := time.Since(began).Seconds()
	fmt.Printf("seeds %d events %d violations %d seeds/s %.0f\n", *seeds, events, broken, float64(*seeds)/took)
	if broken > 0 {
		os.Exit(1)
	}
}
