package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// TestProductsAreFresh says when codes.json changed and what is made from it did not.
func TestProductsAreFresh(t *testing.T) {
	list, err := os.ReadFile("../codes.json")
	if err != nil {
		t.Fatal(err)
	}
	codes, err := parse(list)
	if err != nil {
		t.Fatal(err)
	}
	want, err := goFile(codes)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../codes_gen.go")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("rtc/wire/codes_gen.go is stale: run `go generate ./rtc/wire`")
	}
	got, err = os.ReadFile("../../../sdk/web/src/codes.gen.ts")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, tsFile(codes)) {
		t.Error("sdk/web/src/codes.gen.ts is stale: run `go generate ./rtc/wire`")
	}
	tables, err := os.ReadFile("../codec1.json")
	if err != nil {
		t.Fatal(err)
	}
	got, err = os.ReadFile("../../../sdk/web/src/wire/codec1.gen.ts")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, tsCodec(tables)) {
		t.Error("sdk/web/src/wire/codec1.gen.ts is stale: run `go generate ./rtc/wire`")
	}
	doc, err := os.ReadFile("../../../docs/protocol.md")
	if err != nil {
		t.Fatal(err)
	}
	fresh, err := withTable(doc, codes)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(doc, fresh) {
		t.Error("the table of codes in docs/protocol.md is stale: run `go generate ./rtc/wire`")
	}
}

func TestParseRefuses(t *testing.T) {
	entry := func(number, name, retry string) string {
		return `{"code":` + number + `,"name":"` + name + `","meaning":"m","retry":"` + retry + `","then":"t"}`
	}
	for _, c := range []struct{ list, says string }{
		{``, "no codes"},
		{entry("50", "a", "no"), "in no range"},
		{entry("101", "a", "no") + "," + entry("101", "b", "no"), "unique and ascending"},
		{entry("102", "a", "no") + "," + entry("101", "b", "no"), "unique and ascending"},
		{entry("101", "a", "no") + "," + entry("102", "a", "no"), "taken by 101"},
		{entry("101", "Not_Lower", "no"), "lower_case"},
		{entry("3000", "a", "no"), "its range allows resume"},
		{`{"code":101,"name":"a","meaning":"","retry":"no","then":"t"}`, "needs a meaning"},
		{`{"code":101,"nmae":"a"}`, "unknown field"},
	} {
		if _, err := parse([]byte(`{"codes":[` + c.list + `]}`)); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v; want it to say %q", c.list, err, c.says)
		}
	}
}

func TestWithTableNeedsItsMarkers(t *testing.T) {
	for _, doc := range []string{"", begin, end + begin} {
		if _, err := withTable([]byte(doc), nil); err == nil {
			t.Errorf("%q was taken", doc)
		}
	}
}
