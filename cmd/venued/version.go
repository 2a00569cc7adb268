package main

import (
	"cmp"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/rtc/wire"
)

// version is the release; the linker sets it for released builds
// (-X main.version=v1.2.3). Others take it from the build's own record.
var version string

// versionCmd prints versions.
type versionCmd struct{}

// Run prints the program's version, the build, and the versions of the contracts
// that clients and plugins meet.
func (versionCmd) Run(out io.Writer) error {
	v, revision := buildVersion()
	if revision != "" {
		revision = " (" + revision + ")"
	}
	_, err := fmt.Fprintf(out, "venued %s%s\n%s %s/%s\nclient protocol %d, plugin contract %d.%d\n",
		v, revision, runtime.Version(), runtime.GOOS, runtime.GOARCH, wire.Version, abi.Version, abi.Minor)
	return err
}

func buildVersion() (v, revision string) {
	v = version
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return cmp.Or(v, "unknown"), ""
	}
	if v == "" {
		v = info.Main.Version
	}
	if v == "" || v == "(devel)" {
		v = "development"
	}
	modified := ""
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			revision = s.Value[:min(12, len(s.Value))]
		case "vcs.modified":
			if s.Value == "true" {
				modified = ", modified"
			}
		}
	}
	if revision != "" {
		revision += modified
	}
	return v, revision
}
