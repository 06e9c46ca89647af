package postgres

import "testing"

// What a search asks for one by one comes in few round trips, and what it asks for again in none.
func TestIndexRoundTrips(t *testing.T) {
	pool, trips := indexPool(t)
	writer := NewIndex(pool)
	var ids []int64
	for range 10 {
		ids = append(ids, putBlocks(t, writer, 1, 25))
	}
	x := NewIndex(pool) // another node
	read := func(id int64, n int) {
		if data, err := x.Block(t.Context(), 1, id, n); err != nil || len(data) != 1 || data[0] != byte(n) {
			t.Fatalf("block %d of %d: %x, %v", n, id, data, err)
		}
	}
	heads := func() {
		for _, id := range ids {
			read(id, 0)
		}
	}
	stream := func() {
		for n := range 24 {
			read(ids[0], n+1)
		}
	}
	for _, c := range []struct {
		name string
		ask  func()
		want int
	}{
		{"the heads of all segments", heads, 2},
		{"again", heads, 0},
		{"blocks one after the other", stream, 3},
		{"again", stream, 0},
		{"a block by itself", func() { read(ids[1], 7) }, 1},
		{"the head of a new segment", func() {
			ids = append(ids, putBlocks(t, writer, 1, 1))
			trips.n.Store(0)
			read(
				ids[10], 0)
		}, 1},
	} {
		trips.n.Store(0)
		if c.ask(); int(trips.n.Load()) != c.want {
			t.Errorf("%s: %d round trips, want %d", c.name, trips.n.Load(), c.want)
		}
	}
}
