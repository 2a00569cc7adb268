package rules

import (
	"fmt"
	"strings"

	"github.com/venued/venued/host/rules/module"
)

// Code says for programs what is wrong with a module. Codes are stable; see Codes.
type Code string

// Codes of problems, in the order of the stages that find them.
const (
	CodeMalformed Code = Code(module.CodeMalformed)
	CodeLimit     Code = Code(module.CodeLimit)
	CodeFeature   Code = Code(module.CodeFeature)
	CodeReserved  Code = Code(module.CodeReserved)
	CodeContract  Code = "contract"
	CodeImport    Code = "import"
	CodeExport    Code = "export"
	CodeManifest  Code = "manifest"
	CodeMemory    Code = "memory"
	CodeClass     Code = "class"
	CodeInvalid   Code = "invalid"
	CodeTime      Code = "compile_time"
	CodeSpace     Code = "compile_memory"
	CodeCompiler  Code = "compile_failed"
	CodeSettings  Code = "settings"
	CodeStart     Code = "start"
	CodeCall      Code = "call"
)

// CodeInfo describes a code for documents and help texts.
type CodeInfo struct {
	Code    Code
	Stage   string // prescan, check, compile or sample
	Meaning string
	Todo    string // for the plugin's author
}

// Codes lists every code in the order of the stages.
var Codes = []CodeInfo{
	{CodeMalformed, "prescan", "The bytes are not a WebAssembly module, or are a damaged one.", "Build it again; upload the file itself, not a text form or an archive."},
	{CodeLimit, "prescan", "A quantity is above what the module's class allows; the message names it, the function and the limit.", "Make it smaller as the message says, or ask the venue for the large class."},
	{CodeFeature, "prescan", "It uses a feature of WebAssembly that plugins may not use.", "Build without it: the message names the compiler's flag."},
	{CodeReserved, "prescan", "It exports a name that the host keeps for itself.", "Rename the export."},
	{CodeContract, "check", "It was built for another version of the contract, or is no plugin.", "Build it with the current SDK."},
	{CodeImport, "check", "It imports what the host does not have, or as another type.", "Leave out what needs it: plugins have no files, network or clock."},
	{CodeExport, "check", "An export that the contract asks for is missing or has another type.", "Build it with the SDK, as a library."},
	{CodeManifest, "check", "The manifest is missing or wrong.", "Correct manifest.json and pack it again."},
	{CodeMemory, "check", "It begins with more memory than its own manifest allows.", "Raise memory_bytes in the manifest, or make static data smaller."},
	{CodeClass, "check", "It needs the large class, which the venue did not grant to this rule.", "Make it smaller, or ask for `class = \"large\"` in the venue's [[rule]]."},
	{CodeInvalid, "compile", "An instruction has operands of the wrong type.", "The compiler or tool that made it has a fault: build it with versions that are known to work."},
	{CodeTime, "compile", "Compiling took longer than is allowed.", "Split the function that the message names; no large tables of branches, no deep nesting."},
	{CodeSpace, "compile", "Compiling took more memory than is allowed.", "Split the function that the message names."},
	{CodeCompiler, "compile", "The compiler failed on it.", "Report it with the module; a build with other optimisation flags may pass."},
	{CodeSettings, "sample", "The rule's settings cannot be given to a plugin.", "Correct the setting that the message names."},
	{CodeStart, "sample", "It did not start with these settings.", "The message has the reason that the plugin gave; correct the setting or the plugin."},
	{CodeCall, "sample", "A call with a batch of sample events failed.", "The message says how it ended; test it with scenarios."},
}

// Problem is one reason why a module is refused.
type Problem struct {
	Code Code `json:"code"`
	// Message is a sentence for the plugin's author: what, which limit, what to do.
	Message string `json:"message"`
	// Function is the index of the function that is to blame, imported ones counted first; nil when it is none in particular.
	Function *int `json:"function,omitempty"`
}

// Error returns the message.
func (p *Problem) Error() string { return p.Message }

// Problems is all that one stage found, at least one; later stages did not run.
type Problems []Problem

// Error returns the first message, and how many more there are.
func (p Problems) Error() string {
	text := p[0].Message
	switch n := len(p) - 1; {
	case n == 1:
		text += " (and 1 more problem)"
	case n > 1:
		text += fmt.Sprintf(" (and %d more problems)", n)
	}
	return text
}

// All returns every message, one a line.
func (p Problems) All() string {
	lines := make([]string, len(p))
	for i := range p {
		lines[i] = p[i].Message
	}
	return strings.Join(lines, "\n")
}

func problem(code Code, format string, args ...any) Problem {
	return Problem{Code: code, Message: fmt.Sprintf(format, args...)}
}

// refused turns a refusal of the prescan into a problem.
func refused(r *module.Refusal) Problem {
	p := Problem{Code: Code(r.Code), Message: r.Message}
	if r.Function >= 0 {
		p.Function = &r.Function
	}
	return p
}
