// Command build bundles the sample page into sdk/web/dist: one script, one style sheet and the page that names
// them, each script and style with a hash of its content in its name.
//
//	go run ./sdk/web/build           writes dist
//	go run ./sdk/web/build --check   says whether dist is what the sources give, and writes nothing
//
// It needs the npm modules of sdk/web/sample ("npm ci" there), and no Node.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

func main() {
	check := flag.Bool("check", false, "compare what would be built with what is there")
	root := flag.String("root", ".", "folder of the project")
	flag.Parse()
	if err := run(filepath.Join(*root, "sdk", "web"), *check); err != nil {
		fmt.Fprintf(os.Stderr, "web: %v\n", err)
		os.Exit(1)
	}
}

// run builds the page of the folder web.
func run(web string, check bool) error {
	files, err := bundle(web)
	if err != nil {
		return err
	}
	dist := filepath.Join(web, "dist")
	if check {
		return compare(dist, files)
	}
	return write(dist, files)
}

// bundle returns the files of dist by their names.
func bundle(web string) (map[string][]byte, error) {
	web, err := filepath.Abs(web)
	if err != nil {
		return nil, err
	}
	sample := filepath.Join(web, "sample")
	if _, err := os.Stat(filepath.Join(sample, "node_modules", "three")); err != nil {
		return nil, fmt.Errorf("the npm modules are not here: run \"npm ci --ignore-scripts\" in %s", sample)
	}
	result := api.Build(api.BuildOptions{
		AbsWorkingDir: sample,
		EntryPointsAdvanced: []api.EntryPoint{
			{InputPath: filepath.Join(sample, "src", "main.ts"), OutputPath: "page"},
			{InputPath: filepath.Join(sample, "style.css"), OutputPath: "page"},
		},
		EntryNames:        "[name]-[hash]",
		Outdir:            filepath.Join(web, "dist"),
		Bundle:            true,
		Format:            api.FormatESModule,
		Platform:          api.PlatformBrowser,
		Target:            api.ES2022,
		Charset:           api.CharsetUTF8,
		LegalComments:     api.LegalCommentsEndOfFile,
		MinifyWhitespace:  true,
		MinifySyntax:      true,
		MinifyIdentifiers: true,
		TreeShaking:       api.TreeShakingTrue,
		LogLevel:          api.LogLevelSilent,
	})
	var faults []error
	for _, m := range slices.Concat(result.Errors, result.Warnings) {
		at := ""
		if m.Location != nil {
			at = fmt.Sprintf("%s:%d:%d: ", m.Location.File, m.Location.Line, m.Location.Column)
		}
		faults = append(faults, fmt.Errorf("%s%s", at, m.Text))
	}
	if len(faults) > 0 {
		return nil, errors.Join(faults...)
	}
	files := map[string][]byte{}
	var script, style string
	for _, out := range result.OutputFiles {
		name := filepath.Base(out.Path)
		files[name] = out.Contents
		switch filepath.Ext(name) {
		case ".js":
			script = name
		case ".css":
			style = name
		}
	}
	page, err := os.ReadFile(filepath.Join(sample, "index.html"))
	if err != nil {
		return nil, err
	}
	for mark, name := range map[string]string{"{{script}}": script, "{{style}}": style} {
		if name == "" || !bytes.Contains(page, []byte(mark)) {
			return nil, fmt.Errorf("index.html must name %s, and the build must make it", mark)
		}
		page = bytes.ReplaceAll(page, []byte(mark), []byte(html.EscapeString("/"+name)))
	}
	files["index.html"] = page
	return files, nil
}

// write makes dist hold these files and nothing else.
func write(dist string, files map[string][]byte) error {
	if err := os.MkdirAll(dist, 0o755); err != nil {
		return err
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dist, name), content, 0o644); err != nil {
			return err
		}
	}
	there, err := os.ReadDir(dist)
	if err != nil {
		return err
	}
	for _, entry := range there {
		if _, ok := files[entry.Name()]; !ok {
			if err := os.Remove(filepath.Join(dist, entry.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// compare says how dist differs from what the sources give.
func compare(dist string, files map[string][]byte) error {
	var faults []string
	for name, content := range files {
		switch there, err := os.ReadFile(filepath.Join(dist, name)); {
		case errors.Is(err, os.ErrNotExist):
			faults = append(faults, name+" is missing")
		case err != nil:
			return err
		case !bytes.Equal(there, content):
			faults = append(faults, name+" differs")
		}
	}
	there, err := os.ReadDir(dist)
	if err != nil {
		return err
	}
	for _, entry := range there {
		if _, ok := files[entry.Name()]; !ok {
			faults = append(faults, entry.Name()+" is left over")
		}
	}
	if len(faults) > 0 {
		slices.Sort(faults)
		return fmt.Errorf("dist is not what the sources give: %s; run \"make web\" and commit it", strings.Join(faults, ", "))
	}
	return nil
}
