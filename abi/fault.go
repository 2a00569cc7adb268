package abi

import "fmt"

// FaultKind says how a call failed.
type FaultKind string

// Kinds of fault.
const (
	FaultTrap    FaultKind = "trap"    // the module trapped (unreachable, out of bounds, stack)
	FaultAbort   FaultKind = "abort"   // the module called abort
	FaultFuel    FaultKind = "fuel"    // it used more than MaxFuel (MaxInitFuel) and was stopped
	FaultDepth   FaultKind = "depth"   // its calls nested deeper than MaxDepth
	FaultTimeout FaultKind = "timeout" // it took so long, whatever its fuel, that the watchdog saw it
	FaultMemory  FaultKind = "memory"  // it asked for more memory than its limit
	FaultOutput  FaultKind = "output"  // its commands are malformed or not allowed
	FaultState   FaultKind = "state"   // it went past a state limit
	FaultInit    FaultKind = "init"    // venued_init refused or failed
	FaultMigrate FaultKind = "migrate" // venued_migrate refused or failed
	FaultBudget  FaultKind = "budget"  // not run: earlier calls in the same tick took too long
)

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
