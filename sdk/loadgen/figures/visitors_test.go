package figures

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"
)

// The counts of two machines, sent as JSON and added, are those of one that counted all.
func TestVisitorsAddUp(t *testing.T) {
	one, parts := NewVisitors(), []*Visitors{NewVisitors(), NewVisitors()}
	for i := range 200 {
		for _, v := range []*Visitors{one, parts[i%2]} {
			v.Joined++
			v.Frame(time.Duration(i)*100*time.Millisecond, uint64(i%2))
			v.FramesLost += uint64(i % 3)
			v.Seconds += 2
			v.PoseAge.Add(time.Duration(i) * 731 * time.Microsecond)
			v.Join.Add(time.Duration(i) * time.Millisecond)
			v.Fault([]string{"full", "gone"}[i%2])
		}
	}
	sum := NewVisitors()
	for _, p := range parts {
		b, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		got := new(Visitors)
		if err := json.Unmarshal(b, got); err != nil {
			t.Fatal(err)
		}
		if err := got.Check(); err != nil {
			t.Fatal(err)
		}
		sum.Merge(got)
	}
	a, _ := json.Marshal(one)
	b, _ := json.Marshal(sum)
	if !reflect.DeepEqual(a, b) {
		t.Errorf("two machines counted\n%s\none counted\n%s", b, a)
	}
	if got, want := sum.LostRatio(), 199.0/399; got != want {
		t.Errorf("lost ratio %v, want %v", got, want)
	}
}

func TestVisitorsThatAreNotWhole(t *testing.T) {
	for _, text := range []string{`{}`, `{"join":{"counts":[]},"pose_age":{"counts":[]}}`} {
		v := new(Visitors)
		if err := json.Unmarshal([]byte(text), v); err != nil {
			t.Fatal(err)
		}
		if v.Check() == nil {
			t.Errorf("%s passes", text)
		}
	}
	for _, spoil := range []func(*Visitors){
		func(v *Visitors) { v.Joined = -1 },
		func(v *Visitors) { v.Seconds = -1 },
		func(v *Visitors) { v.EachSecond = make([]Frames, maxSlices+1) },
		func(v *Visitors) { v.Errors = make([]string, MaxErrors+1) },
	} {
		v := NewVisitors()
		spoil(v)
		if v.Check() == nil {
			t.Errorf("%+v passes", v)
		}
	}
}
