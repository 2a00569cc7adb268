//go:build wasip1

// Package migrate lets a rule take over state that was written by another schema version of its manifest. A plugin that
// imports it exports venued_migrate; without that export the host refuses to replace a rule by one of another schema.
//
//	func init() {
//		migrate.Handle(func(from int) error {
//			wins := rule.Int(rule.Region, 0, "wins", 0) // as version 1 wrote it
//			rule.Del(rule.Region, 0, "wins")
//			rule.PutInt(rule.Region, 0, "points", 10*wins)
//			return nil
//		})
//	}
//
// The function runs once in each region, after the settings were read and before the first batch, with as much fuel as a start
// may use. Its writes apply all together; when it returns an error or panics none does, and the old version goes on.
package migrate

import rule "github.com/venued/venued/sdk/rules/go"

var on func(from int) error

// Handle registers the function; call it from an init function. from is the schema version that the state was written by, which is a later one
// when an admin goes back to an older module: return an error for versions that you do not know.
func Handle(migrate func(from int) error) { on = migrate }

//go:wasmexport venued_migrate
func migrate(from uint32) int32 {
	defer rule.EndOnPanic()
	if on == nil {
		rule.Log("the plugin imports package migrate, but did not call migrate.Handle in an init function")
		return 1
	}
	if err := on(int(from)); err != nil {
		rule.Log(err.Error())
		return 1
	}
	return 0
}
