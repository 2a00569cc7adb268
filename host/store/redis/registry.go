package redis

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/venued/venued/host/store"
)

var _ store.Registry = (*Store)(nil)

// join enters a member if it fits those that are there. Times are of the server, in microseconds. The answer is the time and then
// entries of members that are there (all of them), or the entry that the newcomer does not fit behind an empty time.
var join = redis.NewScript(`
local t = redis.call('TIME')
local now = t[1] * 1000000 + t[2]
local mine = cjson.decode(ARGV[2])
local all = redis.call('HGETALL', KEYS[1])
for i = 1, #all, 2 do
	local ends, text = string.match(all[i + 1], '^(%d+) (.*)$')
	if tonumber(ends) <= now then
		redis.call('HDEL', KEYS[1], all[i])
	else
		local m = cjson.decode(text)
		if all[i] == mine.name then
			if m.incarnation ~= mine.incarnation then return {'', text} end
		elseif m.version ~= mine.version or m.cluster ~= mine.cluster or m.layout ~= mine.layout then
			return {'', text}
		end
	end
end
redis.call('HSET', KEYS[1], mine.name, string.format('%d', now + ARGV[1]) .. ' ' .. ARGV[2])
return {string.format('%d', now)}`)

var leave = redis.NewScript(`
local text = redis.call('HGET', KEYS[1], ARGV[1])
if text and cjson.decode(string.match(text, '^%d+ (.*)$')).incarnation == tonumber(ARGV[2]) then redis.call('HDEL', KEYS[1], ARGV[1]) end
return 0`)

// roll returns the time, the members' entries, and the owners' fields and values.
var roll = redis.NewScript(`
local t = redis.call('TIME')
return {string.format('%d', t[1] * 1000000 + t[2]), redis.call('HVALS', KEYS[1]), redis.call('HGETALL', KEYS[2])}`)

// lease gives out a region's next epoch, if the present one is the one that was seen or none is given, and notes whose it is.
var lease = redis.NewScript(`
local epoch = redis.call('HGET', KEYS[1], 'epoch') or '0'
if ARGV[1] ~= '' and ARGV[1] ~= epoch then return {tonumber(epoch), 0} end
local now = redis.call('HINCRBY', KEYS[1], 'epoch', 1)
redis.call('HSET', KEYS[3], ARGV[2], string.format('%d', now) .. ' ' .. ARGV[3])
return {now, redis.call('HINCRBY', KEYS[2], 'block', 1)}`)

var release = redis.NewScript(`
if redis.call('HGET', KEYS[1], ARGV[1]) == ARGV[2] .. ' ' .. ARGV[3] then redis.call('HSET', KEYS[1], ARGV[1], ARGV[2] .. ' ') end
return 0`)

func (s *Store) membersKey(venue string) string { return s.key(venue, "members") }
func (s *Store) ownersKey(venue string) string  { return s.key(venue, "owners") }

// Join implements store.Registry.
func (s *Store) Join(ctx context.Context, venue string, m store.Member, ttl time.Duration) (store.Roll, error) {
	if err := store.CheckName("venue", venue); err != nil {
		return store.Roll{}, err
	}
	if err := store.CheckMember(&m); err != nil {
		return store.Roll{}, err
	}
	if err := s.begin(ctx); err != nil {
		return store.Roll{}, err
	}
	text, err := json.Marshal(m)
	if err != nil {
		return store.Roll{}, err
	}
	got, err := join.Run(ctx, s.client, []string{s.membersKey(venue)}, ttl.Microseconds(), text).StringSlice()
	if err != nil {
		return store.Roll{}, s.failed("member "+m.Name, err)
	}
	if len(got) == 2 {
		var there store.Member
		if err := json.Unmarshal([]byte(got[1]), &there); err != nil {
			return store.Roll{}, fmt.Errorf("store: a member's entry: %v: %w", err, store.ErrDamaged)
		}
		if err := store.Conflict(&m, &there); err != nil {
			return store.Roll{}, err
		}
		return store.Roll{}, fmt.Errorf("member %s beside %s: %w", m.Name, there.Name, store.ErrConflict)
	}
	return s.Roll(ctx, venue)
}

// Leave implements store.Registry.
func (s *Store) Leave(ctx context.Context, venue, name string, incarnation uint64) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	return s.failed("member "+name, leave.Run(ctx, s.client, []string{s.membersKey(venue)}, name, incarnation).Err())
}

// Roll implements store.Registry.
func (s *Store) Roll(ctx context.Context, venue string) (store.Roll, error) {
	if err := store.CheckName("venue", venue); err != nil {
		return store.Roll{}, err
	}
	if err := s.begin(ctx); err != nil {
		return store.Roll{}, err
	}
	got, err := roll.Run(ctx, s.client, []string{s.membersKey(venue), s.ownersKey(venue)}).Slice()
	if err != nil {
		return store.Roll{}, s.failed("members of "+venue, err)
	}
	r, err := readRoll(got)
	if err != nil {
		return store.Roll{}, fmt.Errorf("store: members of %s: %v: %w", venue, err, store.ErrDamaged)
	}
	return r, nil
}

func readRoll(got []any) (store.Roll, error) {
	if len(got) != 3 {
		return store.Roll{}, fmt.Errorf("%d parts", len(got))
	}
	text, _ := got[0].(string)
	now, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return store.Roll{}, err
	}
	r := store.Roll{Now: time.UnixMicro(now)}
	entries, _ := got[1].([]any)
	for _, e := range entries {
		line, _ := e.(string)
		ends, text, _ := strings.Cut(line, " ")
		until, err := strconv.ParseInt(ends, 10, 64)
		if err != nil {
			return r, err
		}
		if until <= now {
			continue
		}
		var m store.Member
		if err := json.Unmarshal([]byte(text), &m); err != nil {
			return r, err
		}
		r.Members = append(r.Members, m)
	}
	owners, _ := got[2].([]any)
	for i := 0; i+1 < len(owners); i += 2 {
		region, _ := owners[i].(string)
		line, _ := owners[i+1].(string)
		epoch, owner, _ := strings.Cut(line, " ")
		n, err := strconv.ParseUint(epoch, 10, 64)
		if err != nil {
			return r, err
		}
		r.Routes = append(r.Routes, store.Route{Region: region, Owner: owner, Epoch: n})
	}
	slices.SortFunc(r.Members, func(a, b store.Member) int { return strings.Compare(a.Name, b.Name) })
	slices.SortFunc(r.Routes, func(a, b store.Route) int { return strings.Compare(a.Region, b.Region) })
	return r, nil
}

// Acquire implements store.Store.
func (s *Store) Acquire(ctx context.Context, key store.RegionKey) (store.Lease, error) {
	return s.lease(ctx, key, "", nil)
}

// AcquireAfter implements store.Store.
func (s *Store) AcquireAfter(ctx context.Context, key store.RegionKey, epoch uint64) (store.Lease, error) {
	return s.lease(ctx, key, "", &epoch)
}

// Claim implements store.Registry.
func (s *Store) Claim(ctx context.Context, key store.RegionKey, owner string, epoch uint64) (store.Lease, error) {
	if err := store.CheckName("owner", owner); err != nil {
		return store.Lease{}, err
	}
	return s.lease(ctx, key, owner, &epoch)
}

// lease makes the caller the owner, if no epoch is given or it is the region's.
func (s *Store) lease(ctx context.Context, key store.RegionKey, owner string, after *uint64) (store.Lease, error) {
	if err := store.CheckKey(key); err != nil {
		return store.Lease{}, err
	}
	if err := s.begin(ctx); err != nil {
		return store.Lease{}, err
	}
	seen := "" // whatever it is
	if after != nil {
		seen = strconv.FormatUint(*after, 10)
	}
	keys := []string{s.regionKeys(key)[0], s.key(key.Venue, "meta"), s.ownersKey(key.Venue)}
	n, err := lease.Run(ctx, s.client, keys, seen, key.Region, owner).Int64Slice()
	if err != nil {
		return store.Lease{}, s.failed("lease of "+key.String(), err)
	}
	if n[1] == 0 {
		return store.Lease{Key: key, Epoch: uint64(n[0])}, store.Overtaken(key, *after, uint64(n[0]))
	}
	if n[1] > 1<<32-1 {
		return store.Lease{}, fmt.Errorf("store: venue %s has given out all id blocks: %w", key.Venue, store.ErrLimit)
	}
	return store.Lease{Key: key, Epoch: uint64(n[0]), Incarnation: incarnation(), IDBlock: uint32(n[1])}, nil
}

// Release implements store.Registry.
func (s *Store) Release(ctx context.Context, key store.RegionKey, owner string, epoch uint64) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	return s.failed("release of "+key.String(), release.Run(ctx, s.client, []string{s.ownersKey(key.Venue)}, key.Region, epoch, owner).Err())
}
