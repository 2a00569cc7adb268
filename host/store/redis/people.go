package redis

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"github.com/venued/venued/host/store"
	"github.com/venued/venued/lattice"
)

// savePlaces keeps places. KEYS: the hash of each place. ARGV: of each its user, padded tick and sealed value.
var savePlaces = redis.NewScript(`
for i, key in ipairs(KEYS) do
  local user, tick, value = ARGV[3 * i - 2], ARGV[3 * i - 1], ARGV[3 * i]
  local old = redis.call('HGET', key, user)
  if not old or string.sub(old, 1, 20) <= tick then redis.call('HSET', key, user, tick .. value) end
end
return 1`)

func placeName(venue, partition, user string) string {
	return fmt.Sprintf("place of %q in partition %q of %q", user, partition, venue)
}

// SavePlaces implements store.Store.
func (s *Store) SavePlaces(ctx context.Context, venue string, places []store.UserPlace) error {
	if err := store.CheckName("venue", venue); err != nil {
		return err
	}
	if err := store.CheckPlaces(places); err != nil {
		return err
	}
	if err := s.begin(ctx); err != nil || len(places) == 0 {
		return err
	}
	var keys []string
	var args []any
	for i := range places {
		p := &places[i]
		keys = append(keys, s.placesKey(venue, p.Partition))
		args = append(args, p.User, padded(p.Tick), seal(placeName(venue, p.Partition, p.User), encodePlace(p)))
	}
	return s.failed("places of "+venue, savePlaces.Run(ctx, s.client, keys, args...).Err())
}

func (s *Store) placesKey(venue, partition string) string {
	return s.key(venue, "places", escape(partition))
}

// placeSize is tick, position, largest component and three others.
const placeSize = 8 + 3*4 + 1 + 3*2

func encodePlace(p *store.UserPlace) []byte {
	b := binary.LittleEndian.AppendUint64(nil, p.Tick)
	for _, v := range []int32{p.At.Pos.X, p.At.Pos.Y, p.At.Pos.Z} {
		b = binary.LittleEndian.AppendUint32(b, uint32(v))
	}
	b = append(b, p.At.Rot.Largest)
	for _, c := range p.At.Rot.C {
		b = binary.LittleEndian.AppendUint16(b, uint16(c))
	}
	return b
}

// Place implements store.Store.
func (s *Store) Place(ctx context.Context, venue, partition, user string) (store.UserPlace, bool, error) {
	none := store.UserPlace{}
	if err := store.CheckName("venue", venue); err != nil {
		return none, false, err
	}
	if err := store.CheckPlaces([]store.UserPlace{{User: user, Partition: partition}}); err != nil {
		return none, false, err
	}
	if err := s.begin(ctx); err != nil {
		return none, false, err
	}
	text, err := s.client.HGet(ctx, s.placesKey(venue, partition), user).Result()
	if err == redis.Nil {
		return none, false, nil
	}
	if err != nil {
		return none, false, s.failed("place of "+user, err)
	}
	name := placeName(venue, partition, user)
	if len(text) < 20 {
		return none, false, fmt.Errorf("store: %s is cut short: %w", name, store.ErrDamaged)
	}
	b, err := unseal(name, text[20:])
	if err != nil {
		return none, false, err
	}
	if len(b) != placeSize {
		return none, false, fmt.Errorf("store: %s has %d bytes, want %d: %w", name, len(b), placeSize, store.ErrDamaged)
	}
	word := func(at int) int32 { return int32(binary.LittleEndian.Uint32(b[at:])) }
	p := store.UserPlace{User: user, Partition: partition, Tick: binary.LittleEndian.Uint64(b)}
	p.At.Pos = lattice.Vec{X: word(8), Y: word(12), Z: word(16)}
	p.At.Rot.Largest = b[20]
	for i := range p.At.Rot.C {
		p.At.Rot.C[i] = int16(binary.LittleEndian.Uint16(b[21+2*i:]))
	}
	return p, true, nil
}

func (s *Store) boardKey(venue, partition, board string) string {
	return s.key(venue, "board", escape(partition), board)
}

// Boards implements store.Store.
func (s *Store) Boards(ctx context.Context, venue, partition string) ([]store.BoardSummary, error) {
	if err := store.CheckBoard(venue, partition, "any", 0); err != nil {
		return nil, err
	}
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	names, err := s.client.SMembers(ctx, s.key(venue, "boards", escape(partition))).Result()
	if err != nil {
		return nil, s.failed("boards of "+venue, err)
	}
	slices.SortFunc(names, strings.Compare)
	pipe := s.client.Pipeline()
	for _, n := range names {
		pipe.HLen(ctx, s.boardKey(venue, partition, n))
	}
	counts, err := pipe.Exec(ctx)
	if err != nil {
		return nil, s.failed("boards of "+venue, err)
	}
	var out []store.BoardSummary
	for i, n := range names {
		out = append(out, store.BoardSummary{Board: n, Users: int(counts[i].(*redis.IntCmd).Val())})
	}
	return out, nil
}

// Board implements store.Store.
func (s *Store) Board(ctx context.Context, venue, partition, board string, n int) ([]store.Total, int, error) {
	if err := store.CheckBoard(venue, partition, board, n); err != nil {
		return nil, 0, err
	}
	if err := s.begin(ctx); err != nil {
		return nil, 0, err
	}
	totals, err := s.client.HGetAll(ctx, s.boardKey(venue, partition, board)).Result()
	if err != nil {
		return nil, 0, s.failed("board "+board, err)
	}
	var top []store.Total
	for user, text := range totals {
		points, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return nil, 0, fmt.Errorf("store: board %s of %s: the total of %q is %q: %w", board, venue, user, text, store.ErrDamaged)
		}
		top = append(top, store.Total{User: user, Points: points})
	}
	store.SortTotals(top)
	return top[:min(n, len(top))], len(top), nil
}
