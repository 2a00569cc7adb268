package console

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/venued/venued/host/bus"
	"github.com/venued/venued/host/recording"
)

// recordings returns the folder, or why there is none.
func (c *Console) recordings() (*recording.Folder, *fault) {
	if c.cfg.Recordings == nil {
		return nil, faultf(http.StatusServiceUnavailable, FaultCodeUnavailable, "this host keeps no recordings")
	}
	return c.cfg.Recordings, nil
}

// aboutRecording says what is wrong with a recording's file.
func aboutRecording(err error) *fault {
	switch {
	case errors.Is(err, recording.ErrNoFile):
		return faultf(http.StatusNotFound, FaultCodeNotFound, "%v: GET /admin/api/recordings lists them", err)
	default:
		return faultf(http.StatusConflict, FaultCodeFailed, "%v", err)
	}
}

func (c *Console) getRecordings(x echo.Context) error {
	folder, f := c.recordings()
	if f != nil {
		return f
	}
	files, err := folder.List()
	if err != nil {
		return faultf(http.StatusServiceUnavailable, FaultCodeUnavailable, "the recordings cannot be listed: %v", err)
	}
	out := Recordings{Recordings: []RecordingFile{}, Regions: []RegionRecording{}}
	for _, file := range files {
		out.Recordings = append(out.Recordings, RecordingFile{Name: file.Name, Bytes: file.Bytes, Time: file.Time.UTC(), Running: file.Running})
	}
	for i := range c.venue.Regions {
		r, f := c.recordRegion(x.Request().Context(), c.venue.Regions[i].Name, &bus.RecordingRequest{Op: bus.RecordingStatus})
		if f != nil {
			return f
		}
		out.Regions = append(out.Regions, *r)
	}
	return x.JSON(http.StatusOK, out)
}

func (c *Console) getRecording(x echo.Context) error {
	folder, f := c.recordings()
	if f != nil {
		return f
	}
	name := x.Param("recording")
	file, err := folder.Open(name)
	if err != nil {
		return aboutRecording(err)
	}
	defer file.Close()
	x.Response().Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", name))
	return x.Stream(http.StatusOK, "application/octet-stream", file)
}

func (c *Console) deleteRecording(x echo.Context) error {
	folder, f := c.recordings()
	if f != nil {
		return f
	}
	name := x.Param("recording")
	if err := folder.Delete(name); err != nil {
		return aboutRecording(err)
	}
	c.note(x, "delete recording", "name", name)
	return x.JSON(http.StatusOK, Done{Message: "Recording " + name + " was deleted.", Changed: ptr(true)})
}

func (c *Console) startRecording(x echo.Context) error {
	var body RecordingLimits
	if f := read(x.Request(), &body); f != nil {
		return f
	}
	q := &bus.RecordingRequest{Op: bus.RecordingStart}
	if body.Seconds != nil {
		if q.Seconds = *body.Seconds; q.Seconds < 1 {
			return faultf(http.StatusBadRequest, FaultCodeBadRequest, "seconds: %d: give at least 1", q.Seconds)
		}
	}
	if body.Bytes != nil {
		if q.Bytes = *body.Bytes; q.Bytes < 1 {
			return faultf(http.StatusBadRequest, FaultCodeBadRequest, "bytes: %d: give at least 1048576", q.Bytes)
		}
	}
	return c.recordingAction(x, http.StatusCreated, q)
}

func (c *Console) stopRecording(x echo.Context) error {
	return c.recordingAction(x, http.StatusOK, &bus.RecordingRequest{Op: bus.RecordingStop})
}

func (c *Console) recordingAction(x echo.Context, status int, q *bus.RecordingRequest) error {
	name := x.Param("region")
	for i := range c.venue.Regions {
		if c.venue.Regions[i].Name != name {
			continue
		}
		r, f := c.recordRegion(x.Request().Context(), name, q)
		if f != nil {
			return f
		}
		args := []any{"region", name}
		if r.Name != nil {
			args = append(args, "name", *r.Name)
		}
		c.note(x, q.Op+" recording", args...)
		return x.JSON(status, r)
	}
	return faultf(http.StatusNotFound, FaultCodeNotFound, "the venue has no region %.64q: GET /admin/api/regions lists them", name)
}

// recordRegion asks a region about its recording.
func (c *Console) recordRegion(ctx context.Context, region string, q *bus.RecordingRequest) (*RegionRecording, *fault) {
	ctx, cancel := context.WithTimeout(ctx, actionTimeout)
	defer cancel()
	body, err := json.Marshal(q)
	if err != nil {
		return nil, faultf(http.StatusInternalServerError, FaultCodeFailed, "%v", err)
	}
	data, err := c.cfg.Bus.Request(ctx, bus.Recording(c.venue.ID, region), body)
	var reply bus.RecordingReply
	if err == nil {
		err = json.Unmarshal(data, &reply)
	}
	if remote, ok := errors.AsType[*bus.RemoteError](err); ok {
		return nil, faultf(http.StatusConflict, FaultCodeFailed, "%s", remote.Text)
	}
	if err != nil {
		return nil, faultf(http.StatusServiceUnavailable, FaultCodeUnavailable, "region %s does not answer: %v", region, err)
	}
	out := &RegionRecording{Region: region, Running: reply.Running}
	if reply.Name != "" {
		out.Name, out.Bytes, out.Ticks = &reply.Name, &reply.Bytes, ptr(int64(reply.Ticks))
	}
	if reply.Ended != "" {
		out.Ended = &reply.Ended
	}
	return out, nil
}
