package main

// ruleCmd holds the tools for rules.
type ruleCmd struct {
	New      ruleNewCmd      `cmd:"" help:"Make a project of a rule: it builds as it is."`
	Build    ruleBuildCmd    `cmd:"" help:"Build a project: compile it, pack its manifest."`
	Check    ruleCheckCmd    `cmd:"" help:"Take a plugin through everything that a host does before running it, and end with 0 or 2."`
	Test     ruleTestCmd     `cmd:"" help:"Play scenarios: given, when, then; compiled and interpreted."`
	Replay   ruleReplayCmd   `cmd:"" help:"Play a recording again, and say what a plugin decides otherwise."`
	Dev      ruleDevCmd      `cmd:"" help:"Build at every change, and swap the rule in a venue that runs here."`
	Pack     rulePackCmd     `cmd:"" help:"Make a plugin of a module and a manifest."`
	Keygen   ruleKeygenCmd   `cmd:"" help:"Make a key to sign plugins with."`
	Sign     ruleSignCmd     `cmd:"" help:"Sign a plugin: writes FILE.sig."`
	Verify   ruleVerifyCmd   `cmd:"" help:"Check the signature of a plugin: that in FILE.sig."`
	Upload   ruleUploadCmd   `cmd:"" help:"Upload a plugin to a host."`
	List     ruleListCmd     `cmd:"" help:"List a host's rules, and what was uploaded to it."`
	Versions ruleVersionsCmd `cmd:"" help:"List the uploaded versions of a rule, and which region runs what."`
	Activate ruleActivateCmd `cmd:"" help:"Run an uploaded version."`
	Rollback ruleRollbackCmd `cmd:"" help:"Go back to what ran before the last activation."`
	Logs     ruleLogsCmd     `cmd:"" help:"Print what a rule logs."`

	CompileChild compileChildCmd `cmd:"" hidden:"" passthrough:"" help:"Compile a module; for venued itself."`
}
