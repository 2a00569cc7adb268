package abi

import "fmt"

// Fault is a failed call of a plugin. Its effects were dropped.
type Fault struct {
	Kind    FaultKind
	Plugin  string
	Message string // a sentence for the plugin's author
}

// Error returns the plugin, the kind and the sentence.
func (f *Fault) Error() string {
	return fmt.Sprintf("plugin %s: %s: %s", f.Plugin, f.Kind, f.Message)
}
