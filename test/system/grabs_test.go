package system

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/venued/venued/rtc/wire"
	client "github.com/venued/venued/sdk/go"
	"github.com/venued/venued/test/process"
)

// grabInput is what a visitor asked of an object; grabOutput is what came back.
type (
	grabInput struct {
		visitor int
		object  string
		release bool
	}
	grabOutput struct {
		ok   bool
		code wire.Code
	}
)

const nobody = -1

// holderModel is an object with one holder at most, and the state is who that is: a grab
// succeeds exactly when nobody holds it, a release exactly when the releaser does.
var holderModel = porcupine.Model{
	Partition: func(history []porcupine.Operation) [][]porcupine.Operation {
		index := map[string]int{}
		var parts [][]porcupine.Operation
		for _, op := range history {
			name := op.Input.(grabInput).object
			if _, ok := index[name]; !ok {
				index[name] = len(parts)
				parts = append(parts, nil)
			}
			parts[index[name]] = append(parts[index[name]], op)
		}
		return parts
	},
	Init: func() any { return nobody },
	Step: func(state, input, output any) (bool, any) {
		holder, in, out := state.(int), input.(grabInput), output.(grabOutput)
		switch {
		case in.release && out.ok:
			return holder == in.visitor, nobody
		case in.release:
			return holder != in.visitor, holder
		case out.ok:
			return holder == nobody, in.visitor
		default:
			return holder != nobody && holder != in.visitor, holder
		}
	},
	DescribeOperation: func(input, output any) string {
		in, out := input.(grabInput), output.(grabOutput)
		verb := "grab"
		if in.release {
			verb = "release"
		}
		return fmt.Sprintf("%d %s %s: %v %v", in.visitor, verb, in.object, out.ok, out.code)
	},
}

// Forty people grab and release five balls as fast as they get answers. Whatever
// each of them was told, there is one order in which every ball had one
// holder at most.
func TestGrabsAreLinearizable(t *testing.T) {
	visitors, rounds := 40, 12
	if raceEnabled {
		visitors = 10
	}
	s := process.Serve(t, "", filepath.Join("testdata", "arena.toml"))
	start := time.Now()
	var (
		mu      sync.Mutex
		history []porcupine.Operation
		granted int
		missed  int
		wg      sync.WaitGroup
	)
	for n := range visitors {
		v := visit(t, s, s.URL, fmt.Sprintf("visitor-%d", n), client.LaneWebRTC)
		random := rand.New(rand.NewPCG(7, uint64(n)))
		wg.Go(func() {
			do := func(in grabInput, ask func() (*client.Request, error)) grabOutput {
				call := time.Since(start).Nanoseconds()
				out := v.outcome(ask())
				back := time.Since(start).Nanoseconds()
				result := grabOutput{out.OK, out.Code}
				mu.Lock()
				defer mu.Unlock()
				switch {
				case out.OK, out.Code == wire.CodeDeniedHeld, out.Code == wire.CodeDeniedNotHeld:
				case out.Code == wire.CodeDeniedReach:
					// Somebody carried the ball on since it was seen: that says nothing about who held it.
					missed++
					return result
				default:
					t.Errorf("%+v: %v %s", in, out.Code, out.Msg)
				}
				history = append(history, porcupine.Operation{ClientId: n, Input: in, Call: call, Output: result, Return: back})
				if out.OK && !in.release {
					granted++
				}
				return result
			}
			for range rounds {
				ball := v.object(fmt.Sprintf("ball-%d", 1+random.IntN(5)))
				hand := at(ball.State.Body.Head.Pos)
				v.SetPose(v.body(hand.Pos))
				in := grabInput{visitor: n, object: ball.Info.Name}
				if do(in, func() (*client.Request, error) { return v.Grab(ball.Info.ID, right, hand) }).ok {
					in.release = true
					if out := do(in, func() (*client.Request, error) { return v.Release(ball.Info.ID, right, hand) }); !out.ok {
						t.Errorf("%+v: a holder could not let go: %v", in, out.code)
					}
				}
			}
		})
	}
	wg.Wait()
	result, info := porcupine.CheckOperationsVerbose(holderModel, history, 2*time.Minute)
	t.Logf("%d operations, %d grants, %d out of reach", len(history), granted, missed)
	if granted == 0 {
		t.Error("nobody ever got a ball")
	}
	if result != porcupine.Ok {
		path := filepath.Join(artifacts(), "grabs.html")
		if err := porcupine.VisualizePath(holderModel, info, path); err != nil {
			t.Log(err)
		}
		t.Errorf("the history is %v; see %s", result, path)
	}
}
