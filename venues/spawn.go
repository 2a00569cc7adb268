package venues

import (
	"math/bits"

	"github.com/venued/venued/lattice"
)

// The golden angle's cosine and sine with 30 fraction bits: turning by it again and
// again never comes near a direction taken lately.
const (
	goldenCos = -791743804
	goldenSin = 725302181
)

// spawnPlaces is the number of different places in a spawn point's disc.
const spawnPlaces = 256

// spawnTurns holds the direction of each place, 30 fraction bits, made with integers so that
// every machine has the same.
var spawnTurns = func() (turns [spawnPlaces][2]int64) {
	x, z := int64(1<<30), int64(0)
	for i := range turns {
		turns[i] = [2]int64{x, z}
		x, z = (x*goldenCos-z*goldenSin)>>30, (x*goldenSin+z*goldenCos)>>30
	}
	return turns
}()

// Place returns where the n-th visitor of a spawn point appears: on the
// ground, in the disc of its radius, turned as the point is. Places differ for 256
// visitors in a row and repeat then; each run of them from 0 fills the disc evenly: the
// direction turns by the golden angle, the distance follows the reversed bits of n. The head belongs a
// person's height above.
func (s *SpawnGeom) Place(n uint64) lattice.Joint {
	i := n % spawnPlaces
	// √((2k+1)/512) of the radius, k from 0 to 255: equal areas, never the rim itself.
	k := int64(bits.Reverse8(uint8(i)))
	r := lattice.Sqrt(int64(s.Radius) * int64(s.Radius) * (2*k + 1) / (2 * spawnPlaces))
	turn := spawnTurns[i]
	return lattice.Joint{
		Pos: s.At.Add(lattice.Vec{X: int32(r * turn[0] / (1 << 30)), Z: int32(r * turn[1] / (1 << 30))}),
		Rot: s.Rot,
	}
}
