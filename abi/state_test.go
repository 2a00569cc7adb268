package abi

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func number(v int64) []byte { return le.AppendUint64(nil, uint64(v)) }

func TestMergeValues(t *testing.T) {
	for _, c := range []struct {
		op         MergeOp
		a, b, want []byte
	}{
		{"", []byte("a"), []byte("b"), []byte("a")},
		{MergeKeep, []byte("a"), nil, []byte("a")},
		{MergeNewest, []byte("new"), []byte("old"), []byte("new")},
		{MergeSum, number(5), number(-7), number(-2)},
		{MergeSum, number(math.MaxInt64), number(1), number(math.MinInt64)},
		{MergeMax, number(-5), number(-7), number(-5)},
		{MergeMin, number(5), number(-7), number(-7)},
		{MergeOr, []byte{1, 2}, []byte{4, 0, 8}, []byte{5, 2, 8}},
		{MergeOr, nil, nil, nil},
	} {
		got, err := MergeValues(c.op, c.a, c.b)
		if err != nil || !bytes.Equal(got, c.want) {
			t.Errorf("%q of %x and %x = %x, %v; want %x", c.op, c.a, c.b, got, err, c.want)
		}
	}
}

func TestMergeValuesRefuses(t *testing.T) {
	if _, err := MergeValues(MergeSum, number(1), []byte("12")); err == nil || !strings.Contains(err.Error(), "2 bytes, want 8") {
		t.Error(err)
	}
	if _, err := MergeValues("summ", nil, nil); err == nil || !strings.Contains(err.Error(), `did you mean "sum"?`) {
		t.Error(err)
	}
}

func TestMergeIsIndependentOfOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		op := rapid.SampledFrom([]MergeOp{MergeSum, MergeMax, MergeMin, MergeOr}).Draw(t, "op")
		var v [3][]byte
		for i := range v {
			if op == MergeOr {
				v[i] = rapid.SliceOfN(rapid.Byte(), 0, 5).Draw(t, "value")
			} else {
				v[i] = number(rapid.Int64().Draw(t, "value"))
			}
		}
		before := bytes.Join(v[:], []byte("|"))
		merge := func(a, b []byte) []byte {
			out, err := MergeValues(op, a, b)
			if err != nil {
				t.Fatal(err)
			}
			return out
		}
		want := merge(merge(v[0], v[1]), v[2])
		for _, got := range [][]byte{merge(v[0], merge(v[1], v[2])), merge(merge(v[2], v[0]), v[1]), merge(v[2], merge(v[1], v[0]))} {
			if !bytes.Equal(got, want) {
				t.Fatalf("%s of %x: %x and %x", op, v, got, want)
			}
		}
		if !bytes.Equal(before, bytes.Join(v[:], []byte("|"))) {
			t.Fatal("an operand changed")
		}
	})
}
