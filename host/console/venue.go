package console

import (
	"math"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
)

// getVenue describes what does not change.
func (c *Console) getVenue(x echo.Context) error {
	d := c.venue.Describe()
	v := Venue{
		Id: d.ID, Name: d.Name, Version: c.cfg.Version, Started: c.started.UTC().Truncate(time.Millisecond),
		TickHz: d.TickHz, SendHz: d.SendHz, UsersLimit: d.Limits.Users,
		Floors: []Floor{}, Rooms: []Area{}, Zones: []Area{}, Regions: []Area{}, Spawns: []Spawn{}, Kinds: []Kind{}, Doors: []Door{},
		Labels: map[string]string{},
	}
	for _, f := range d.Floors {
		v.Floors = append(v.Floors, Floor{Name: f.Name, Min: f.Min[:], Max: f.Max[:], Y: f.Y, Height: f.Height})
	}
	for _, r := range d.Rooms {
		v.Rooms = append(v.Rooms, Area{Name: r.Name, Floor: r.Floor, Min: r.Min[:], Max: r.Max[:]})
	}
	for _, z := range d.Zones {
		a := Area{Name: z.Name, Floor: z.Floor, Min: z.Min[:], Max: z.Max[:]}
		if z.Door != "" {
			a.Door = ptr(z.Door)
		}
		v.Zones = append(v.Zones, a)
	}
	for _, r := range d.Regions {
		v.Regions = append(v.Regions, Area{Name: r.Name, Floor: r.Floor, Min: r.Min[:], Max: r.Max[:]})
	}
	for _, s := range d.Spawns {
		v.Spawns = append(v.Spawns, Spawn{Name: s.Name, Floor: s.Floor, At: s.At[:], Radius: s.Radius})
	}
	for _, k := range d.Kinds {
		v.Kinds = append(v.Kinds, Kind{Name: k.Name, Grabbable: k.Grabbable, Usable: k.Usable, Shape: KindShape(k.Shape), Size: k.Size[:], Color: k.Color})
	}
	for _, o := range d.Doors {
		v.Doors = append(v.Doors, Door{Name: o.Name, Width: o.Width, Yaw: o.YawDeg * math.Pi / 180, Zone: o.Zone})
	}
	for _, o := range d.Objects {
		if o.Label != "" {
			v.Labels[o.Name] = o.Label
		}
	}
	return x.JSON(http.StatusOK, v)
}
