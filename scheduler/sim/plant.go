package sim

import "github.com/venued/venued/scheduler/migration"

// Plant is a fault that the simulator must find: a check of the machines left out, or a flaw of the driver around them. The zero
// value is none.
type Plant struct {
	Name   string
	What   string // a sentence
	Finds  string // the invariants that notice it, at least one of them
	Guards migration.Guards
	Flaw   flaw
}

// flaw is a fault of a driver.
type flaw uint8

const (
	_                flaw = iota
	flawNoFreeze          // a source ticks on after it was stopped
	flawIgnoreFence       // an owner that the store refuses goes on
	flawDurableEarly      // what is not stored is called durable
	flawSnapshotOnly      // recovery reads no log
	flawTickAgain         // a target goes on at a tick that was there already
	flawForgedLease       // a node that is refused a lease makes one of its own
)

// Planted lists the faults.
var Planted = []Plant{
	{"thaw", "a stopped source goes on without a new epoch", "V1", migration.GuardTakeBack, 0},
	{"no-freeze", "a source ticks on after FINAL", "V1", 0, flawNoFreeze},
	{"start-early", "a target starts without the lease", "V1", migration.GuardLease, 0},
	{"start-without-final", "a target that has waited long enough helps itself", "V3, V4", migration.GuardFinal, 0},
	{"release-early", "a source lets go when it has sent FINAL, once", "V14, V3", migration.GuardAnswer, 0},
	{"late-clean-up", "a late release of an earlier move takes effect: A to B to A", "V14", migration.GuardMove | migration.GuardEpoch | migration.GuardTerm, 0},
	{"no-stand-down", "an owner that hears of a higher epoch goes on, and ignores the store's refusals", "V1", migration.GuardStandDown, flawIgnoreFence},
	{"ignore-fence", "an owner that the store refuses goes on", "V1", 0, flawIgnoreFence},
	{"recover-any", "a node recovers a region whatever its epoch is by then", "V12, V3", migration.GuardAfter | migration.GuardEpoch, 0},
	{"hasty", "a coordinator has regions recovered whose owner was just heard of", "V3", migration.GuardAlive, 0},
	{"forgotten-intents", "a new coordinator knows nothing of the moves of the one before", "V15", migration.GuardIntents, 0},
	{"route-early", "the route is given out before the target has the region", "V8", migration.GuardRoute, 0},
	{"lost-records", "a target folds in what comes, whatever is missing, and does not compare", "V4", migration.GuardRecords | migration.GuardHash, 0},
	{"lost-tail", "what the store does not have yet does not go along", "V12", migration.GuardTail, 0},
	{"lost-poses", "poses and budgets do not go along", "V18", migration.GuardRest, 0},
	{"durable-early", "what is not stored is called durable", "V12", 0, flawDurableEarly},
	{"snapshot-only", "recovery reads no log", "V12", 0, flawSnapshotOnly},
	{"tick-again", "a target goes on at a tick that was there already", "V2", 0, flawTickAgain},
	{"forged-lease", "a node that the store refuses a lease goes on with one of its own making", "V1", 0, flawForgedLease},
	{"no-fence", "a gateway takes records of an owner that was followed", "V2", migration.GuardFence, 0},
	{"tick-twice", "a gateway shows a tick twice after a recovery", "V2", migration.GuardTick, 0},
	{"no-resend", "a gateway sends key inputs once", "V3", migration.GuardResend, 0},
	{"out-of-order", "a gateway mixes up the inputs it held", "V3", migration.GuardOrder, 0},
	{"doubled-replay", "a gateway numbers inputs anew when it sends them again", "V16, V3", migration.GuardOnce, 0},
	{"kept-too-short", "a gateway forgets inputs that are decided and not stored", "V3", migration.GuardKeep, 0},
	{"no-place", "a gateway does not tell a new owner where its people were", "V18", migration.GuardPlace, 0},
	{"no-back", "a gateway does not tell a new owner that its people are there", "V8", migration.GuardBack, 0},
	{"no-revoke", "a gateway does not take back events that were undone", "V5, V9", migration.GuardRevoke, 0},
	{"unbounded", "a gateway keeps whatever comes", "V16", migration.GuardBound, 0},
}

// PlantNamed returns a planted fault by its name.
func PlantNamed(name string) (Plant, bool) {
	for _, p := range Planted {
		if p.Name == name {
			return p, true
		}
	}
	return Plant{}, false
}
