package main

// ruleCmd holds the tools for rules.
type ruleCmd struct {
	CompileChild compileChildCmd `cmd:"" hidden:"" passthrough:"" help:"Compile a module; for venued itself."`
}
