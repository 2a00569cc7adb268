package transport

import (
	"context"
	"math"
)

// GrowthUsers are the crowds whose cost is compared.
var GrowthUsers = []int{25, 50, 100, 200, 300}

// Growth is how the cost of the whole path grows.
type Growth struct {
	Rows     []GrowthRow `json:"rows"`
	Exponent float64     `json:"exponent"` // of users, least squares over the logarithms: 1 is linear
}

// GrowthRow is one crowd. Processor time is of the serving process, in cores.
type GrowthRow struct {
	Users    int       `json:"users"`
	Joined   int       `json:"joined"`
	Cores    float64   `json:"cores"`
	PerUser  float64   `json:"ms_cpu_per_user_s"` // milliseconds of a core by user and second
	KbpsDown float64   `json:"kbps_down"`
	PoseAge  Quantiles `json:"pose_age_ms"`
	Lost     float64   `json:"lost_ratio"`
	MemoryKB float64   `json:"rss_per_session_kb"`
}

// MeasureGrowth measures venued with each of the crowds; o.Users does not matter.
func MeasureGrowth(ctx context.Context, o Options) (*Growth, error) {
	g := new(Growth)
	for _, n := range GrowthUsers {
		o.Users = n
		if err := o.Check(); err != nil {
			return nil, err
		}
		r, err := Venued(ctx, o)
		if err != nil {
			return nil, err
		}
		cores := r.Venued / r.SecondsEach
		g.Rows = append(g.Rows, GrowthRow{
			Users: n, Joined: r.Joined, Cores: cores, PerUser: cores * 1000 / float64(r.Joined),
			KbpsDown: r.Packets.KbpsDown, PoseAge: r.PoseAge, Lost: r.Lost, MemoryKB: r.MemoryKB,
		})
	}
	g.Exponent = exponent(g.Rows)
	return g, nil
}

// exponent fits cores = a * joined^exponent.
func exponent(rows []GrowthRow) float64 {
	var n, sx, sy, sxx, sxy float64
	for _, r := range rows {
		if r.Cores <= 0 {
			continue
		}
		x, y := math.Log(float64(r.Joined)), math.Log(r.Cores)
		n, sx, sy, sxx, sxy = n+1, sx+x, sy+y, sxx+x*x, sxy+x*y
	}
	if d := n*sxx - sx*sx; d > 0 {
		return (n*sxy - sx*sy) / d
	}
	return 0
}
