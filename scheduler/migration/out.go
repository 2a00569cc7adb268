package migration

import (
	"github.com/venued/venued/host/scene"
	"github.com/venued/venued/host/store"
	"github.com/venued/venued/host/stream"
)

// Do is what a machine wants done.
type Do uint8

// What is to be done.
const (
	DoSend    Do = iota // Message
	DoStep              // nothing; a place for failpoints, named Step
	DoCapture           // capture the region between two ticks and let it tick on; answer with Captured
	DoStop              // let the running tick end, tick no more; answer with Stopped
	DoGoOn              // tick again, under the same lease
	DoAcquire           // store.AcquireAfter(After); answer with Acquired
	DoStart             // store Tail under Lease, revive Live, step Inputs first; answer with Started
	DoResume            // revive the region that was stopped, under Lease; answer with Started
	DoRecover           // restore the region from the store under Lease; answer with Started
	DoDrop              // throw the region away, if there is one
	DoInputs            // Inputs to the node To, under Stamp
	DoRevoke            // events of numbers Revoke were applied and are undone: tell whoever saw them
	DoResync            // events may have been missed or undone: clients need everything anew
	DoWrite             // Entry into the ledger if its version is still Entry.Version-1; answer with Stored
)

// Out is one thing to be done, after those before it in the list.
type Out struct {
	Do      Do
	Message *Message
	Step    string
	After   uint64
	Lease   store.Lease
	Live    *scene.Live
	Tail    []Record
	Inputs  []stream.Input
	To      string
	Stamp   Stamp
	Revoke  []uint64
	Entry   *Entry
}

// Names of the places for failpoints, in the order of a move that succeeds.
const (
	StepIntent   = "coordinator.intent"   // before the intent is written
	StepPrepare  = "coordinator.prepare"  // the intent is stored; before the orders go out
	StepCapture  = "source.capture"       // before the region is captured
	StepState    = "source.state"         // captured; before the first part goes out
	StepReplica  = "target.replica"       // the state is here; before the target says so
	StepSwitch   = "coordinator.switch"   // before the order to switch
	StepStop     = "source.stop"          // before the region stops
	StepFinal    = "source.final"         // stopped; before FINAL goes out
	StepAcquire  = "target.acquire"       // FINAL is here and fits; before the lease is taken
	StepStart    = "target.start"         // the lease is taken; before the region starts
	StepTaken    = "target.taken"         // it ticks; before the target says so
	StepRoute    = "coordinator.route"    // before the new owner is written
	StepRelease  = "coordinator.release"  // written; before gateways and source hear of it
	StepDrop     = "source.drop"          // before the source throws the region away
	StepTakeBack = "source.take-back"     // before the source takes a stopped region back
	StepRecover  = "node.recover"         // before a node takes a region from the store
	StepRestore  = "node.restore"         // it has the lease; before the state is loaded
	StepAborting = "coordinator.aborting" // before orders to give a move up go out
)

// Steps lists the names of places for failpoints.
var Steps = []string{StepIntent, StepPrepare, StepCapture, StepState, StepReplica, StepSwitch, StepStop, StepFinal, StepAcquire, StepStart,
	StepTaken, StepRoute, StepRelease, StepDrop, StepTakeBack, StepRecover, StepRestore, StepAborting}

// Timing of the machines, microseconds. The zero value of a field is its default.
type Timing struct {
	Resend   int64 // unanswered messages go out again; default 200 ms
	Final    int64 // FINAL goes out again; default 50 ms
	TakeBack int64 // the source waits for an answer to FINAL; default 1.5 s
	Move     int64 // a move may take before its switch; default 30 s
	Suspect  int64 // a node that was not heard of counts as dead; default 1.5 s
	Recover  int64 // a node that was told to recover a region is given; default 2 s
}

func (t Timing) filled() Timing {
	for _, f := range []struct {
		v *int64
		d int64
	}{{&t.Resend, 200_000}, {&t.Final, 50_000}, {&t.TakeBack, 1_500_000}, {&t.Move, 30_000_000}, {&t.Suspect, 1_500_000}, {&t.Recover, 2_000_000}} {
		if *f.v == 0 {
			*f.v = f.d
		}
	}
	return t
}

// Guards are checks that can be left out. Only the simulator does, to show that it notices.
type Guards uint32

// The checks.
const (
	GuardEpoch     Guards = 1 << iota // messages of a lower epoch are refused
	GuardTerm                         // orders of a coordinator that was followed are refused
	GuardMove                         // orders about another move are refused
	GuardTakeBack                     // a stopped region goes on under a new lease only
	GuardFinal                        // a target takes the region with FINAL only
	GuardLease                        // a target starts when it has the lease only
	GuardRecords                      // records are taken in order, none left out
	GuardHash                         // the replica is compared with the source
	GuardTail                         // records that are not stored go along
	GuardAnswer                       // FINAL goes out again until it is answered
	GuardAfter                        // a region is recovered after a known epoch only
	GuardFence                        // a gateway refuses records of a lower epoch
	GuardResend                       // a gateway sends key inputs again
	GuardOrder                        // a gateway keeps the order of inputs it held
	GuardOnce                         // a gateway sends inputs again under their own numbers
	GuardPlace                        // a gateway tells a new owner where its people were
	GuardBack                         // and that they are there
	GuardRevoke                       // a gateway takes back events that were undone
	GuardKeep                         // a gateway keeps inputs until the store has what they did
	GuardBound                        // a gateway bounds what it keeps
	GuardRoute                        // the route is written after the target has the region
	GuardIntents                      // a new coordinator ends the moves of the one before
	GuardAlive                        // a coordinator takes a region only from a node that is not heard of
	GuardStandDown                    // an owner that hears of a higher epoch stops
	GuardRest                         // poses and budgets go along
	GuardTick                         // a gateway shows no tick twice
)

func send(m *Message) Out      { return Out{Do: DoSend, Message: m} }
func step(name string) Out     { return Out{Do: DoStep, Step: name} }
func acquire(after uint64) Out { return Out{Do: DoAcquire, After: after} }
