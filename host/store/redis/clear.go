package redis

import (
	"context"

	"github.com/redis/go-redis/v9"

	"github.com/venued/venued/host/store"
)

// clearPartition removes a partition. KEYS: its places, the set of its boards. ARGV: what the key of a board begins with. All have the venue's
// hash tag, so that the keys that are made up here lie where the others do.
var clearPartition = redis.NewScript(`
local places = redis.call('HLEN', KEYS[1])
local boards = redis.call('SMEMBERS', KEYS[2])
local totals = 0
for _, board in ipairs(boards) do
  totals = totals + redis.call('HLEN', ARGV[1] .. board)
  redis.call('UNLINK', ARGV[1] .. board)
end
redis.call('UNLINK', KEYS[1], KEYS[2])
return {places, #boards, totals}`)

// Clear implements store.Store.
func (s *Store) Clear(ctx context.Context, venue, partition string) (store.Cleared, error) {
	if err := store.CheckClear(venue, partition); err != nil {
		return store.Cleared{}, err
	}
	if err := s.begin(ctx); err != nil {
		return store.Cleared{}, err
	}
	keys := []string{s.placesKey(venue, partition), s.key(venue, "boards", escape(partition))}
	n, err := clearPartition.Run(ctx, s.client, keys, s.boardKey(venue, partition, "")).Int64Slice()
	if err != nil {
		return store.Cleared{}, s.failed("partition "+partition+" of "+venue, err)
	}
	return store.Cleared{Places: int(n[0]), Boards: int(n[1]), Totals: int(n[2])}, nil
}
