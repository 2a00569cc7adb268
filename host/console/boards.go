package console

import (
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/store"
)

// defaultTop is how many totals a board shows.
const defaultTop = 10

// partition is whose boards are asked for.
func partition(x echo.Context) (string, *fault) {
	q := x.QueryParam("load")
	if q == "" {
		return store.PartitionMain, nil
	}
	load, err := strconv.ParseBool(q)
	switch {
	case err != nil:
		return "", faultf(http.StatusBadRequest, FaultCodeBadRequest, "parameter load: %q: give true or false", q)
	case load:
		return store.PartitionLoad, nil
	}
	return store.PartitionMain, nil
}

func (c *Console) getBoards(x echo.Context) error {
	part, f := partition(x)
	if f != nil {
		return f
	}
	list, err := c.cfg.Store.Boards(x.Request().Context(), c.venue.ID, part)
	if err != nil {
		return faultf(http.StatusServiceUnavailable, FaultCodeUnavailable, "the boards cannot be read: %v", err)
	}
	out := Boards{Boards: []BoardSummary{}}
	for _, b := range list {
		out.Boards = append(out.Boards, BoardSummary{Board: b.Board, Users: b.Users})
	}
	return x.JSON(http.StatusOK, out)
}

func (c *Console) getBoard(x echo.Context) error {
	part, f := partition(x)
	if f != nil {
		return f
	}
	name, n := x.Param("board"), defaultTop
	if !abi.ValidName(name) {
		return faultf(http.StatusBadRequest, FaultCodeBadRequest, "%.64q is not the name of a board: GET /admin/api/boards lists them", name)
	}
	if q := x.QueryParam("top"); q != "" {
		var err error
		if n, err = strconv.Atoi(q); err != nil || n < 1 || n > store.MaxTop {
			return faultf(http.StatusBadRequest, FaultCodeBadRequest, "parameter top: %q: give a number from 1 to %d", q, store.MaxTop)
		}
	}
	top, users, err := c.cfg.Store.Board(x.Request().Context(), c.venue.ID, part, name, n)
	if err != nil {
		return faultf(http.StatusServiceUnavailable, FaultCodeUnavailable, "the board cannot be read: %v", err)
	}
	out := Board{Board: name, Users: users, Top: []Total{}}
	for _, t := range top {
		out.Top = append(out.Top, Total{User: t.User, Points: t.Points})
	}
	return x.JSON(http.StatusOK, out)
}
