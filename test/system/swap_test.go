package system

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/venued/venued/rtc/wire"
	"github.com/venued/venued/sdk/admin"
	client "github.com/venued/venued/sdk/go"
	"github.com/venued/venued/test/process"
)

// countedRule counts, in its state, how often it gave something to somebody, and tells them the count. KEY is where it counts. It fails when
// it has to go on from more than LAST, which an inspection does not see.
const countedRule = `
#define VENUED_PLUGIN
#define VENUED_MIGRATE
#include "venued.h"

int32_t rule_init(const venued_batch *settings) { (void)settings; return 0; }

int32_t rule_migrate(int32_t from) {
  int64_t n = venued_kv_int(VENUED_REGION, 0, VENUED_TEXT("count"), -1);
  if (from != 0 || n < 0) return 1;
  if (venued_kv_del(VENUED_REGION, 0, VENUED_TEXT("count")) < 0) return 2;
  return venued_kv_put_int(VENUED_REGION, 0, VENUED_TEXT("total"), n) < 0 ? 3 : 0;
}

static uint64_t given[16]; /* in this batch */
static uint32_t givens;
static int64_t begun; /* where it went on counting */

static void grab(uint32_t n, const venued_event *e) {
  for (uint32_t i = 0; i < givens; i++)
    if (given[i] == e->object) return venued_deny(n, e, VENUED_DENY_HELD, "", 0);
  if (e->holder) return venued_deny(n, e, VENUED_DENY_HELD, "", 0);
  int64_t sum;
  VENUED_ASSERT(givens < 16 && venued_kv_add_int(VENUED_REGION, 0, VENUED_TEXT("KEY"), 1, &sum) >= 0);
  if (!begun) begun = sum;
  if (begun > LAST) VENUED_ABORT("it cannot count that far");
  given[givens++] = e->object;
  venued_grant(n, e);
  char json[32];
  venued_writer w = {json, sizeof json, 0};
  venued_write(&w, VENUED_TEXT("{\"n\":"));
  venued_write_uint(&w, (uint64_t)sum);
  venued_write(&w, VENUED_TEXT("}"));
  venued_emit(n, VENUED_TO_USER, e->subject, VENUED_TEXT("count"), json, w.len);
}

void rule_tick(const venued_batch *batch) {
  givens = 0;
  for (uint32_t i = 0; i < batch->events; i++) {
    const venued_event *e = venued_event_at(batch, i);
    if (e->kind == VENUED_GRAB) grab(i + 1, e);
    if (e->kind == VENUED_RELEASE) venued_release(i + 1, e);
  }
}
`

// counted makes a version of the rule in the folder, and returns its module's path.
func (f folder) counted(version string, schema int, last string) string {
	f.t.Helper()
	dir := "counted-" + version
	f.good("rule", "new", "--lang", "c", "counted", "--dir", dir)
	key := "count"
	if schema > 0 {
		key = "total"
	}
	source := strings.NewReplacer("KEY", key, "LAST", last).Replace(countedRule)
	manifest := fmt.Sprintf(`{"name":"counted","version":%q,"abi":1,"events":["grab","release"],"commands":["grant","deny","release","emit"],"schema":%d}`, version, schema)
	for name, text := range map[string]string{"rule.c": source, "manifest.json": manifest} {
		if err := os.WriteFile(filepath.Join(f.dir, dir, name), []byte(text), 0o666); err != nil {
			f.t.Fatal(err)
		}
	}
	f.good("rule", "build", dir)
	return filepath.Join(dir, "counted.wasm")
}

// count is one event of the rule.
type count struct {
	n    int
	tick uint64
	rule string
}

// Fifty people snatch at five balls through a gateway while the rule that decides is swapped: for another version, for one that keeps its state in
// another layout, and for one that fails. What the rule counts is neither lost nor doubled, each tick is decided by one version, and
// from the one that fails the region goes back by itself and says why.
func TestSwapUnderVisitors(t *testing.T) {
	people := 50
	if raceEnabled {
		people = 10
	}
	f := folder{t, t.TempDir()}
	const far = "1000000000"
	first, second, third := f.counted("1.0.0", 0, far), f.counted("1.1.0", 0, far), f.counted("2.0.0", 1, far)
	broken := f.counted("2.1.0", 1, "40")
	arena, err := os.ReadFile(filepath.Join("testdata", "arena.toml"))
	if err != nil {
		t.Fatal(err)
	}
	hall := strings.Replace(string(arena), `plugin = "grab"`, fmt.Sprintf("name = \"hands\"\nplugin = %q", first), 1)
	hall = strings.Replace(hall, "name = \"Arena\"\n", "name = \"Arena\"\ngrab_window_ms = 0\n", 1)
	if err := os.WriteFile(filepath.Join(f.dir, "arena.toml"), []byte(hall), 0o666); err != nil {
		t.Fatal(err)
	}
	s := process.Serve(t, filepath.Join(f.dir, "data"), filepath.Join(f.dir, "arena.toml"))

	var (
		mu      sync.Mutex
		counts  []count
		granted int
		refused = map[wire.Code]int{}
		wg      sync.WaitGroup
	)
	news := make(chan struct{}, 1)
	tell := func() {
		select {
		case news <- struct{}{}:
		default:
		}
	}
	stop := make(chan struct{})
	var visitors []*visitor
	for n := range people {
		visitors = append(visitors, visit(t, s, s.URL, fmt.Sprintf("visitor-%d", n), client.LaneWS))
	}
	for n, v := range visitors {
		go func() {
			for e := range v.Events() {
				switch e.T {
				case client.EventGap, client.EventLost, wire.DownResync:
					t.Errorf("visitor %d: %s", n, e.T)
				case wire.DownRule:
					var b struct{ N int }
					if err := json.Unmarshal(e.Data, &b); err != nil || e.Name != "count" {
						t.Errorf("visitor %d: event %s %s", n, e.Name, e.Data)
						continue
					}
					mu.Lock()
					counts = append(counts, count{b.N, e.Tick, e.Rule})
					mu.Unlock()
					tell()
				}
			}
		}()
		random := rand.New(rand.NewPCG(11, uint64(n)))
		// The hand stays in the middle of the table, so that the balls stay where they are.
		hand := at(v.object("ball-1").State.Body.Head.Pos)
		v.SetPose(v.body(hand.Pos))
		sent := v.Stats().PosesSent
		v.await("the hand in the middle", func() bool { return v.Stats().PosesSent >= sent+2 })
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				ball := v.object(fmt.Sprintf("ball-%d", 1+random.IntN(5)))
				out := v.outcome(v.Grab(ball.Info.ID, right, hand))
				mu.Lock()
				if out.OK {
					granted++
				} else {
					refused[out.Code]++
				}
				mu.Unlock()
				tell()
				// While the rule fails the host itself honours what a holder wants.
				if out.OK && !v.outcome(v.Release(ball.Info.ID, right, hand)).OK {
					t.Errorf("visitor %d cannot let go", n)
				}
			}
		})
	}
	until := func(what string, cond func() bool) {
		t.Helper()
		limit := time.After(patience)
		for {
			mu.Lock()
			done := cond()
			mu.Unlock()
			if done {
				return
			}
			select {
			case <-news:
			case <-limit:
				mu.Lock()
				defer mu.Unlock()
				t.Fatalf("%s: not after %s; %d were granted, refused %v", what, patience, granted, refused)
			}
		}
	}
	decided := func(version string, n int) func() bool {
		return func() bool {
			decisions := 0
			for _, c := range counts {
				if c.rule == "counted@"+version {
					decisions++
				}
			}
			return decisions >= n
		}
	}
	until("the first version", decided("1.0.0", 20))
	for _, v := range []struct{ module, version string }{{second, "1.1.0"}, {third, "2.0.0"}} {
		f.good("rule", "upload", v.module, "--activate", "--name", "hands")
		until("version "+v.version, decided(v.version, 20))
	}
	mu.Lock()
	before := granted
	mu.Unlock()
	f.good("rule", "upload", broken, "--activate", "--name", "hands")
	until("the version before the broken one", func() bool { return granted >= before+20 })
	close(stop)
	wg.Wait()
	until("the last counts", func() bool { return len(counts) >= granted })

	slices.SortFunc(counts, func(a, b count) int { return cmp.Compare(a.n, b.n) })
	by := map[uint64]string{}
	order := []string{"counted@1.0.0", "counted@1.1.0", "counted@2.0.0"}
	for i, c := range counts {
		if c.n != i+1 {
			t.Fatalf("grant %d was counted as %+v", i+1, c)
		}
		if was := by[c.tick]; was != "" && was != c.rule {
			t.Errorf("tick %d was decided by %s and %s", c.tick, was, c.rule)
		}
		by[c.tick] = c.rule
		if i > 0 && (c.tick < counts[i-1].tick || slices.Index(order, c.rule) < slices.Index(order, counts[i-1].rule)) {
			t.Errorf("%+v comes after %+v", c, counts[i-1])
		}
	}
	if len(counts) != granted {
		t.Errorf("%d grants, %d of them counted", granted, len(counts))
	}
	t.Logf("%d grants by %d people, refused %v", granted, people, refused)

	token, err := os.ReadFile(filepath.Join(s.Data, "admin.token"))
	if err != nil {
		t.Fatal(err)
	}
	console, err := admin.Connect(s.URL, strings.TrimSpace(string(token)))
	if err != nil {
		t.Fatal(err)
	}
	// That a region went back is noted behind its back.
	var list []admin.RuleSwap
	limit, look := time.After(patience), time.NewTicker(20*time.Millisecond)
	defer look.Stop()
	for waiting := true; waiting && len(list) < 4; {
		swaps, err := console.GetRuleSwapsWithResponse(t.Context(), "hands")
		if err != nil || swaps.JSON200 == nil {
			t.Fatal(err, swaps)
		}
		list = swaps.JSON200.Swaps
		select {
		case <-look.C:
		case <-limit:
			waiting = false
		}
	}
	if len(list) != 4 || !list[0].Returned || list[0].From.Version != "2.1.0" || list[0].To.Version != "2.0.0" || !strings.Contains(list[0].Reason, "it cannot count that far") {
		t.Errorf("swaps, the newest first: %+v", list)
	}
	faults, err := console.GetRuleFaultsWithResponse(t.Context(), "hands")
	if err != nil || faults.JSON200 == nil || len(faults.JSON200.Faults) == 0 {
		t.Fatal(err, faults)
	}
	for _, x := range faults.JSON200.Faults {
		if x.Module.Version != "2.1.0" || x.Before != x.After {
			t.Errorf("fault %+v", x)
		}
	}
	if out := f.good("rule", "list"); !strings.Contains(out, "counted 2.0.0") {
		t.Errorf("what runs:\n%s", out)
	}
	if out := f.good("rule", "logs", "hands"); !strings.Contains(out, "it cannot count that far") || !strings.Contains(out, "2.1.0") {
		t.Errorf("the rule's log does not say why:\n%s", out)
	}
}
