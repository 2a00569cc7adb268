package scene

import (
	"math"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/lattice"
)

// prepareRows writes the rows that a rule subscribes to, as the world is after triggers: rules see
// each other's effects at the next tick.
func (r *Region) prepareRows(rule *ruleRun) {
	rows, v := rule.rows[:0], &rule.Views
	if v.Objects.Some() {
		for _, o := range r.objects {
			if !v.Objects.Has(int(o.Class)) {
				continue
			}
			p := o.pos()
			rows = append(rows, abi.Row{Kind: abi.RowObject, ID: o.ID, Class: uint32(o.Class), Holder: o.State.Holder,
				State: o.State.Value, X: p.X, Y: p.Y, Z: p.Z})
		}
	}
	if v.Users.Some() {
		for _, u := range r.users {
			if !u.leaving && v.Users.HasAny(u.zones) {
				p := u.head()
				rows = append(rows, abi.Row{Kind: abi.RowUser, ID: u.ID, X: p.X, Y: p.Y, Z: p.Z})
			}
		}
	}
	if v.Doors {
		for _, d := range r.doors {
			row := abi.Row{Kind: abi.RowDoor, ID: d.ID, State: d.value(r.tick)}
			if d.locked {
				row.Flags = abi.FlagLocked
			}
			rows = append(rows, row)
		}
	}
	if v.Zones {
		for _, z := range r.zones {
			rows = append(rows, abi.Row{Kind: abi.RowZone, ID: uint64(z) + 1, State: uint32(r.crowd[z]), Aux: r.doorOfZone(z)})
		}
	}
	if rule.poses {
		for _, u := range r.users {
			if !u.leaving && v.Poses.HasAny(u.zones) {
				rows = appendPoses(rows, u)
			}
		}
	}
	rule.rows = rows
}

// appendPoses appends a person's three rows: head, left and right hand. They are tracked once a sample of the present connection came.
func appendPoses(rows []abi.Row, u *user) []abi.Row {
	flags := uint16(0)
	if u.hasPose && !u.away {
		flags = abi.FlagTracked
	}
	body := &u.State.Body
	for part, j := range [...]*lattice.Joint{abi.PartHead: &body.Head, abi.PartLeft: &body.Left, abi.PartRight: &body.Right} {
		rows = append(rows, abi.Row{Kind: abi.RowPose, Flags: flags, Class: uint32(part), ID: u.ID, X: j.Pos.X, Y: j.Pos.Y, Z: j.Pos.Z, Aux: packRot(j.Rot)})
	}
	return rows
}

// packRot packs a rotation for a row. Quat's parts are multiples of 2^-30, so the products are exact and every machine rounds alike.
func packRot(rot lattice.Rot) uint64 {
	x, y, z, w := rot.Quat()
	part := func(f float64) int16 { return int16(math.Round(f * abi.RotationOne)) }
	return abi.PackRotation(part(x), part(y), part(z), part(w))
}
