package sim

import (
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/venues"
)

// hallTOML is a hall of two regions, with a cup and a ball in each.
const hallTOML = `
[venue]
id = "sim"
name = "The simulated hall"
tick_hz = 10
send_hz = 10
grab_window_ms = 100
[venue.limits]
users = 32
events_per_s = 200.0
grab_reach_m = 5.0
[[floor]]
name = "hall"
min = [0.0, -8.0]
max = [60.0, 8.0]
[[cut]]
axis = "z"
at = 0
[[spawn]]
name = "north"
at = [2.0, -4.0]
[[spawn]]
name = "south"
at = [2.0, 4.0]
[[kind]]
name = "cup"
grabbable = true
[[object]]
name = "cup-n"
kind = "cup"
at = [3.0, 1.0, -4.0]
[[object]]
name = "ball-n"
kind = "cup"
at = [3.5, 1.0, -4.0]
[[object]]
name = "cup-s"
kind = "cup"
at = [3.0, 1.0, 4.0]
[[object]]
name = "ball-s"
kind = "cup"
at = [3.5, 1.0, 4.0]
[[rule]]
name = "tally"
plugin = "tally"
kinds = ["cup"]
`

var hall = sync.OnceValue(func() *venues.Venue {
	v, err := venues.Read("sim.toml", []byte(hallTOML), venues.Options{})
	if err != nil {
		panic(err)
	}
	return v
})

// tally is the rule of the hall: the first who asks for a thing gets it, and what people say are the numbers 1, 2, 3 ... each
// once and in order, which it keeps count of. It is what a plugin is to the region: batches in, commands out.
type tally struct {
	batch abi.Decoded
	out   []byte
}

const (
	tallyRule = "tally"
	keyLast   = "last"  // the newest number of a person
	keyWrong  = "wrong" // what came instead of the next number
)

var tallyManifest = &abi.Manifest{
	Name: tallyRule, Version: "1.0.0", ABI: abi.Version, Events: []string{"grab", "release", "message"}, Commands: []string{"grant", "deny", "release"},
}

func (*tally) Manifest() *abi.Manifest   { return tallyManifest }
func (*tally) Digest() string            { return strings.Repeat("0", 64) }
func (*tally) Migrate(int, abi.KV) error { return nil }

func (r *tally) Call(batch []byte, kv abi.KV) ([]byte, error) {
	if err := abi.DecodeBatch(batch, &r.batch); err != nil {
		return nil, &abi.Fault{Kind: abi.FaultTrap, Plugin: tallyRule, Message: err.Error()}
	}
	var cmds []abi.Command
	granted := map[uint64]bool{}
	for i := range r.batch.Events {
		e, n := &r.batch.Events[i], uint32(i+1)
		switch e.Kind {
		case abi.EventGrab:
			if granted[e.Object] || e.Holder != 0 && e.Holder != e.Subject {
				cmds = append(cmds, abi.Command{Kind: abi.CmdDeny, Event: n, Value: abi.DenyHeld})
				continue
			}
			granted[e.Object] = true
			cmds = append(cmds, abi.Command{Kind: abi.CmdGrant, Event: n, Subject: e.Subject, Object: e.Object, Value: int64(e.Hand)})
		case abi.EventRelease:
			cmds = append(cmds, abi.Command{Kind: abi.CmdRelease, Event: n, Object: e.Object})
		case abi.EventMessage:
			_, data, _ := abi.SplitData(e.Data)
			said, _ := strconv.Atoi(string(data))
			last := 0
			if v, code := kv.Get(abi.ScopeUser, e.Subject, keyLast); code == 0 {
				last, _ = strconv.Atoi(string(v))
			}
			if said != last+1 {
				kv.Put(abi.ScopeUser, e.Subject, keyWrong, fmt.Appendf(nil, "%d after %d", said, last))
			}
			kv.Put(abi.ScopeUser, e.Subject, keyLast, strconv.AppendInt(nil, int64(said), 10))
		}
	}
	r.out = abi.AppendCommands(r.out[:0], cmds)
	return r.out, nil
}
