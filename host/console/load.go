package console

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/venued/venued/host/store"
)

// clearLoad removes what load generators left in the store.
func (c *Console) clearLoad(x echo.Context) error {
	n, err := c.cfg.Store.Clear(x.Request().Context(), c.venue.ID, store.PartitionLoad)
	if err != nil {
		return faultf(http.StatusServiceUnavailable, FaultCodeUnavailable, "the partition of load generators cannot be cleared: %v; nothing of it was removed", err)
	}
	out := LoadCleared{Places: n.Places, Boards: n.Boards, Totals: n.Totals}
	clients, _ := c.sampled.read()
	for i := range clients {
		if clients[i].Load {
			out.Here++
		}
	}
	c.note(x, "clear load", "places", n.Places, "boards", n.Boards, "totals", n.Totals)
	return x.JSON(http.StatusOK, out)
}
