package wire

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/venued/venued/lattice"
)

// ID is an entity or session id. In JSON it is a decimal string, because JavaScript's numbers lose the
// low bits of 64-bit integers; 0 is none.
type ID uint64

// MarshalJSON implements json.Marshaler.
func (id ID) MarshalJSON() ([]byte, error) {
	return append(strconv.AppendUint([]byte{'"'}, uint64(id), 10), '"'), nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (id *ID) UnmarshalJSON(b []byte) error {
	if len(b) < 2 || b[0] != '"' || b[len(b)-1] != '"' {
		return fmt.Errorf("id %s is not a decimal string", quoteShort(string(b)))
	}
	n, err := strconv.ParseUint(string(b[1:len(b)-1]), 10, 64)
	if err != nil {
		return fmt.Errorf("id %s is not a decimal string", quoteShort(string(b)))
	}
	*id = ID(n)
	return nil
}

// Point is a position in JSON: an array of x, y, z in metres, venue coordinates. All
// positions on the lattice survive it exactly.
type Point lattice.Vec

// MarshalJSON implements json.Marshaler.
func (p Point) MarshalJSON() ([]byte, error) { return AppendPoint(nil, lattice.Vec(p)), nil }

// UnmarshalJSON implements json.Unmarshaler.
func (p *Point) UnmarshalJSON(b []byte) error {
	var m [3]float64
	if err := readNumbers(b, "p", m[:]); err != nil {
		return err
	}
	v, err := pointOf(m)
	if err != nil {
		return err
	}
	*p = Point(v)
	return nil
}

// Quat is a rotation in JSON: an array of x, y, z, w, the order of WebXR and Unity.
type Quat lattice.Rot

// MarshalJSON implements json.Marshaler.
func (q Quat) MarshalJSON() ([]byte, error) { return AppendQuat(nil, lattice.Rot(q)), nil }

// UnmarshalJSON implements json.Unmarshaler.
func (q *Quat) UnmarshalJSON(b []byte) error {
	var m [4]float64
	if err := readNumbers(b, "q", m[:]); err != nil {
		return err
	}
	r, err := rotOf(m)
	if err != nil {
		return err
	}
	*q = Quat(r)
	return nil
}

// AppendPoint appends [x,y,z] in metres: the shortest decimals that give the same lattice point.
func AppendPoint(dst []byte, v lattice.Vec) []byte {
	x, y, z := v.Metres()
	return appendNumbers(dst, -1, x, y, z)
}

// AppendQuat appends [x,y,z,w] with five decimals, enough to give the same rotation on the lattice
// but where two components are equally large.
func AppendQuat(dst []byte, r lattice.Rot) []byte {
	x, y, z, w := r.Quat()
	return appendNumbers(dst, 5, x, y, z, w)
}

func appendNumbers(dst []byte, decimals int, numbers ...float64) []byte {
	for i, f := range numbers {
		if i == 0 {
			dst = append(dst, '[')
		} else {
			dst = append(dst, ',')
		}
		dst = strconv.AppendFloat(dst, f, 'f', decimals, 64)
	}
	return append(dst, ']')
}

// appendString appends s as a JSON string.
func appendString(dst []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			b, _ := json.Marshal(s) // a string cannot fail
			return append(dst, b...)
		}
	}
	dst = append(dst, '"')
	dst = append(dst, s...)
	return append(dst, '"')
}
