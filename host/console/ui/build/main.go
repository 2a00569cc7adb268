// Command build bundles the console's page into host/console/dist: one script and one style sheet beside the page
// that names them.
//
//	go run ./host/console/ui/build           writes dist
//	go run ./host/console/ui/build --check   says whether dist is what the sources give, and writes nothing
//
// It needs the npm modules of host/console/ui ("npm ci --ignore-scripts" there), and no Node.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/evanw/esbuild/pkg/api"
)

func main() {
	check := flag.Bool("check", false, "compare what would be built with what is there")
	root := flag.String("root", ".", "folder of the project")
	flag.Parse()
	if err := run(filepath.Join(*root, "host", "console"), *check); err != nil {
		fmt.Fprintf(os.Stderr, "console: %v\n", err)
		os.Exit(1)
	}
}

// run builds the page of the folder console.
func run(console string, check bool) error {
	console, err := filepath.Abs(console)
	if err != nil {
		return err
	}
	ui, dist := filepath.Join(console, "ui"), filepath.Join(console, "dist")
	files, err := bundle(ui)
	if err != nil {
		return err
	}
	for _, name := range []string{"index.html", "icon.svg"} {
		if files[name], err = os.ReadFile(filepath.Join(ui, name)); err != nil {
			return err
		}
	}
	if check {
		return compare(dist, files)
	}
	for name, b := range files {
		if err := os.WriteFile(filepath.Join(dist, name), b, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// bundle returns the script and the style sheet.
func bundle(ui string) (map[string][]byte, error) {
	if _, err := os.Stat(filepath.Join(ui, "node_modules", "preact")); err != nil {
		return nil, fmt.Errorf("the npm modules are not here: run \"npm ci --ignore-scripts\" in %s", ui)
	}
	result := api.Build(api.BuildOptions{
		AbsWorkingDir: ui,
		EntryPointsAdvanced: []api.EntryPoint{
			{InputPath: filepath.Join(ui, "src", "main.ts"), OutputPath: "app"},
			{InputPath: filepath.Join(ui, "style.css"), OutputPath: "app"},
		},
		Outdir:            filepath.Join(ui, "..", "dist"),
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
	for _, m := range append(result.Errors, result.Warnings...) {
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
	for _, out := range result.OutputFiles {
		files[filepath.Base(out.Path)] = out.Contents
	}
	return files, nil
}

// compare says which files of dist are not what the sources give.
func compare(dist string, files map[string][]byte) error {
	var faults []error
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join(dist, name))
		if err != nil || !bytes.Equal(got, want) {
			faults = append(faults, fmt.Errorf("dist/%s is not what the sources give: run \"go run ./host/console/ui/build\" and commit it", name))
		}
	}
	there, err := os.ReadDir(dist)
	if err != nil {
		return err
	}
	for _, e := range there {
		if files[e.Name()] == nil {
			faults = append(faults, fmt.Errorf("dist/%s is not built from anything: delete it", e.Name()))
		}
	}
	return errors.Join(faults...)
}
