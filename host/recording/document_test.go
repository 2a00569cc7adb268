package recording

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/venued/venued/host/stream"
)

// docs/recordings.md names the first byte of the batches that a file holds as they are written.
func TestTheDocumentNamesTheVersionOfBatches(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "recordings.md"))
	if err != nil {
		t.Fatal(err)
	}
	first := stream.AppendInputs(nil, stream.BatchHeader{}, nil)[0]
	if want := fmt.Sprintf("| byte | %#x: version %d of the batches", first, first>>4); !strings.Contains(string(text), want) {
		t.Errorf("docs/recordings.md does not say %q", want)
	}
}
