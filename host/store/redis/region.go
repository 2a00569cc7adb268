package redis

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"

	"github.com/redis/go-redis/v9"

	"github.com/venued/venued/host/store"
)

// addScores is what the scripts that count scores begin with: add(key, at, n) adds n of them. KEYS from key on have of each the set of boards
// and the board, ARGV from at on of each board, user and points. It returns how many were on boards that were too many.
var addScores = `
local function add(key, at, n)
  local dropped = 0
  for i = 0, n - 1 do
    local boards, board = KEYS[key + 2 * i], KEYS[key + 2 * i + 1]
    local name, user, points = ARGV[at + 3 * i], ARGV[at + 3 * i + 1], ARGV[at + 3 * i + 2]
    if redis.call('SISMEMBER', boards, name) == 0 and redis.call('SCARD', boards) >= ` + strconv.Itoa(store.MaxBoards) + ` then
      dropped = dropped + 1
    else
      redis.call('SADD', boards, name)
      local sum = redis.pcall('HINCRBY', board, user, points)
      if type(sum) == 'table' and sum.err then
        redis.call('HSET', board, user, string.sub(points, 1, 1) == '-' and '-9223372036854775808' or '9223372036854775807')
      end
    end
  end
  return dropped
end
`

// scores appends what addScores reads to the arguments of a script.
func (s *Store) scores(venue string, list []store.Score, keys []string, args []any) ([]string, []any) {
	for _, x := range list {
		keys = append(keys, s.key(venue, "boards", escape(x.Partition)), s.boardKey(venue, x.Partition, x.Board))
		args = append(args, x.Board, x.User, x.Delta)
	}
	return keys, args
}

// appendLog writes records. KEYS: head, log, then of each score the set of boards and the board.
// ARGV: epoch, number of records, then of each the padded tick, the tick, the sealed data, the number of its scores, and of each board, user
// and points. It answers {"ok", boards that were too many}, {"fenced", epoch} or {"order", tick, last}.
var appendLog = redis.NewScript(addScores + `
local head, log = KEYS[1], KEYS[2]
local epoch = redis.call('HGET', head, 'epoch') or '0'
if epoch ~= ARGV[1] then return {'fenced', epoch} end
local last = redis.call('HGET', head, 'last')
local fresh, at, key = {}, 3, 3
for i = 1, tonumber(ARGV[2]) do
  local r = {tick = ARGV[at], id = ARGV[at + 1] .. '-1', data = ARGV[at + 2], scores = tonumber(ARGV[at + 3]), at = at + 4, key = key}
  at = r.at + 3 * r.scores
  key = key + 2 * r.scores
  if last and r.tick <= last then
    local there = redis.call('XRANGE', log, r.id, r.id)
    if #there == 0 or there[1][2][2] ~= r.data then return {'order', r.tick, last} end
  else
    fresh[#fresh + 1] = r
  end
end
local dropped = 0
for _, r in ipairs(fresh) do
  redis.call('XADD', log, r.id, 'd', r.data)
  redis.call('HINCRBY', head, 'n', 1)
  redis.call('HSET', head, 'last', r.tick)
  dropped = dropped + add(r.key, r.at, r.scores)
end
return {'ok', tostring(dropped)}`)

// Append implements store.Store.
func (s *Store) Append(ctx context.Context, l store.Lease, records []store.Record) error {
	if err := store.CheckRecords(l.Key, records); err != nil {
		return err
	}
	if err := s.begin(ctx); err != nil {
		return err
	}
	keys := s.regionKeys(l.Key)[:2]
	args := []any{l.Epoch, len(records)}
	for i := range records {
		r := &records[i]
		args = append(args, padded(r.Tick), r.Tick, seal(logName(l.Key, r.Tick), r.Data), len(r.Scores))
		keys, args = s.scores(l.Key.Venue, r.Scores, keys, args)
	}
	answer, err := appendLog.Run(ctx, s.client, keys, args...).StringSlice()
	if err != nil {
		return s.failed("log of "+l.Key.String(), err)
	}
	return s.settled(l, answer)
}

// settled turns what a script answered into an error, and says how many scores were dropped.
func (s *Store) settled(l store.Lease, answer []string) error {
	switch answer[0] {
	case "ok":
		if answer[1] != "0" {
			s.opts.Log.Warn("scores on boards beyond the limit were dropped", "venue", l.Key.Venue, "scores", answer[1], "boards", store.MaxBoards)
		}
	case "fenced":
		epoch, err := strconv.ParseUint(answer[1], 10, 64)
		if err != nil {
			return fmt.Errorf("region %s: epoch %q: %w", l.Key, answer[1], store.ErrDamaged)
		}
		return store.Fenced(l, epoch)
	case "order":
		return fmt.Errorf("region %s: tick %s, stored up to %s: %w", l.Key, answer[1], answer[2], store.ErrTickOrder)
	}
	return nil
}

func logName(k store.RegionKey, tick uint64) string {
	return fmt.Sprintf("log of %s at tick %d", k, tick)
}

func snapName(k store.RegionKey, tick string) string {
	return fmt.Sprintf("snapshot of %s at tick %s", k, tick)
}

// saveSnapshot writes a snapshot. KEYS: head, log, snap, then those of the scores. ARGV: epoch, padded tick, what identifies the snapshot, sealed
// data, the number of scores, and what they are. It answers as appendLog does.
// head holds s0, the newest snapshot's tick, i0, what identifies it, and s1, the tick of the one before.
var saveSnapshot = redis.NewScript(addScores + `
local head, log, snap = KEYS[1], KEYS[2], KEYS[3]
local epoch = redis.call('HGET', head, 'epoch') or '0'
if epoch ~= ARGV[1] then return {'fenced', epoch} end
local tick = ARGV[2]
local newest = redis.call('HGET', head, 's0')
if newest then
  if newest == tick and redis.call('HGET', head, 'i0') == ARGV[3] then return {'ok', '0'} end
  if tick <= newest then return {'order', tick, newest} end
end
local last = redis.call('HGET', head, 'last')
if last and tick < last then return {'order', tick, last} end
if newest then
  redis.call('XTRIM', log, 'MINID', newest .. '-2')
  redis.call('HSET', head, 'n', redis.call('XLEN', log))
  local before = redis.call('HGET', head, 's1')
  if before then redis.call('HDEL', snap, before) end
  redis.call('HSET', head, 's1', newest)
end
redis.call('HSET', snap, tick, ARGV[4])
redis.call('HSET', head, 's0', tick, 'i0', ARGV[3], 'last', tick)
return {'ok', tostring(add(4, 6, tonumber(ARGV[5])))}`)

// snapshotHeader is what stands before a snapshot's data: version, gap, SHA-256.
const snapshotHeader = 4 + 1 + 32

// SaveSnapshot implements store.Store.
func (s *Store) SaveSnapshot(ctx context.Context, l store.Lease, snap store.Snapshot) error {
	if err := store.CheckSnapshot(l.Key, &snap); err != nil {
		return err
	}
	if err := s.begin(ctx); err != nil {
		return err
	}
	header := binary.LittleEndian.AppendUint32(nil, snap.Version)
	header = append(header, 0)
	if snap.Gap {
		header[4] = 1
	}
	header = append(header, snap.SHA256[:]...)
	tick := padded(snap.Tick)
	value := seal(snapName(l.Key, tick), append(header[:len(header):len(header)], snap.Data...))
	keys, args := s.scores(l.Key.Venue, snap.Scores, s.regionKeys(l.Key), []any{l.Epoch, tick, header, value, len(snap.Scores)})
	answer, err := saveSnapshot.Run(ctx, s.client, keys, args...).StringSlice()
	if err != nil {
		return s.failed("snapshot of "+l.Key.String(), err)
	}
	return s.settled(l, answer)
}

// load reads a region in one step. KEYS: head, log, snap.
var load = redis.NewScript(`
local head, log, snap = KEYS[1], KEYS[2], KEYS[3]
local s0, s1, n = unpack(redis.call('HMGET', head, 's0', 's1', 'n'))
local v0 = s0 and redis.call('HGET', snap, s0)
local v1 = s1 and redis.call('HGET', snap, s1)
return {s0 or '', v0 or '', s1 or '', v1 or '', n or '0', redis.call('XRANGE', log, '-', '+')}`)

// Load implements store.Store.
func (s *Store) Load(ctx context.Context, key store.RegionKey) (*store.Snapshot, []store.Record, error) {
	if err := store.CheckKey(key); err != nil {
		return nil, nil, err
	}
	if err := s.begin(ctx); err != nil {
		return nil, nil, err
	}
	answer, err := load.Run(ctx, s.client, s.regionKeys(key)).Slice()
	if err != nil {
		return nil, nil, s.failed("region "+key.String(), err)
	}
	text := func(i int) string { v, _ := answer[i].(string); return v }
	records, err := readLog(key, answer[5], text(4))
	if err != nil {
		return nil, nil, err
	}
	if text(0) == "" {
		return nil, records, nil
	}
	snap, gap, err := readSnapshot(key, text(0), text(1))
	if err != nil {
		// The one before and the log since then give the same state, unless there is a hole between them: then its
		// damage loses something. A damaged snapshot does not tell of holes.
		before, _, e := readSnapshot(key, text(2), text(3))
		if text(2) == "" || gap || e != nil {
			return nil, nil, err
		}
		s.opts.Log.Error("the newest snapshot is damaged, the one before it and the log are used", "region", key, "error", err)
		snap = before
	}
	var after []store.Record
	for _, r := range records {
		if r.Tick > snap.Tick {
			after = append(after, r)
		}
	}
	return snap, after, nil
}

// readSnapshot takes a snapshot apart. gap is what can be read of Gap when the snapshot is damaged; true when nothing can.
func readSnapshot(key store.RegionKey, tick, sealed string) (snap *store.Snapshot, gap bool, err error) {
	n, err := strconv.ParseUint(tick, 10, 64)
	if err != nil {
		return nil, true, fmt.Errorf("region %s: snapshot of tick %q: %w", key, tick, store.ErrDamaged)
	}
	value, err := unseal(snapName(key, tick), sealed)
	if err != nil {
		return nil, len(sealed) < 4+snapshotHeader || sealed[4+4] != 0, err
	}
	if len(value) < snapshotHeader {
		return nil, true, fmt.Errorf("region %s: snapshot of tick %d is cut short: %w", key, n, store.ErrDamaged)
	}
	snap = &store.Snapshot{Tick: n, Version: binary.LittleEndian.Uint32(value), Gap: value[4] != 0, Data: append([]byte{}, value[snapshotHeader:]...)}
	copy(snap.SHA256[:], value[5:])
	if err := store.CheckSnapshot(key, snap); err != nil {
		return nil, snap.Gap, errors.Join(err, store.ErrDamaged)
	}
	return snap, snap.Gap, nil
}

// readLog takes the entries of a stream apart, of which there should be so many.
func readLog(key store.RegionKey, entries any, want string) ([]store.Record, error) {
	list, _ := entries.([]any)
	if strconv.Itoa(len(list)) != want {
		return nil, fmt.Errorf("region %s: its log has %d entries and should have %s: %w", key, len(list), want, store.ErrDamaged)
	}
	var out []store.Record
	for _, e := range list {
		var tick uint64
		var data string
		if pair, ok := e.([]any); ok && len(pair) == 2 {
			id, _ := pair[0].(string)
			if _, err := fmt.Sscanf(id, "%d-1", &tick); err != nil {
				return nil, fmt.Errorf("region %s: log entry %q: %w", key, id, store.ErrDamaged)
			}
			if fields, ok := pair[1].([]any); ok && len(fields) == 2 {
				data, _ = fields[1].(string)
			}
		}
		value, err := unseal(logName(key, tick), data)
		if err != nil {
			return nil, err
		}
		out = append(out, store.Record{Tick: tick, Data: value})
	}
	return out, nil
}
