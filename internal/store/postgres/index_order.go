package postgres

import (
	"cmp"
	"slices"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// order is a statement that an update is to send.
type order struct {
	sql  string
	args []any
}

// orders are what an update was asked for and has not sent. Orders of one kind that follow each other become one
// statement.
type orders struct {
	list  []order
	kind  orderKind
	num   mailbox.Num // of kinds that go by mailbox
	bytes int

	blocks   []blockOrder
	segments []store.Segment
	ids      []int64 // segments that go, or messages
	vectors  []vectorOrder
}

type blockOrder struct {
	num     int64
	segment int64
	n       int32
	data    []byte
}

type vectorOrder struct {
	num, seq int64
	data     []byte
}

type orderKind int

const (
	nothing orderKind = iota
	putting
	deleting
	dropping
	undropping
	vectoring
)

// orderBytes is about what an order takes besides its data.
const orderBytes = 64

// group begins orders of a kind, unless they have begun.
func (o *orders) group(kind orderKind, num mailbox.Num) {
	if o.kind != kind || o.num != num {
		o.close()
		o.kind, o.num = kind, num
	}
	o.bytes += orderBytes
}

// add orders a statement by itself.
func (o *orders) add(sql string, args ...any) {
	o.close()
	o.emit(sql, args...)
	o.bytes += orderBytes
}

func (o *orders) emit(sql string, args ...any) { o.list = append(o.list, order{sql, args}) }

// take returns the statements, and starts over.
func (o *orders) take() []order {
	o.close()
	list := o.list
	*o = orders{}
	return list
}

// close makes statements of the orders that were gathered.
func (o *orders) close() {
	switch o.kind {
	case putting:
		o.putBlocks()
		o.putSegments()
	case deleting:
		o.emit(`DELETE FROM index_segments WHERE box = $1 AND id = ANY($2)`, int64(o.num), o.ids)
		o.emit(`DELETE FROM index_blocks WHERE box = $1 AND segment = ANY($2)`, int64(o.num), o.ids)
	case dropping:
		o.emit(`INSERT INTO index_dropped SELECT $1::bigint, seq FROM unnest($2::bigint[]) seq ORDER BY seq ON CONFLICT DO NOTHING`, int64(o.num), o.ids)
		o.emit(`DELETE FROM index_vectors WHERE box = $1 AND seq = ANY($2)`, int64(o.num), o.ids)
		o.emit(`INSERT INTO index_unmerged VALUES ($1) ON CONFLICT DO NOTHING`, int64(o.num))
	case undropping:
		o.emit(`DELETE FROM index_dropped WHERE box = $1 AND seq = ANY($2)`, int64(o.num), o.ids)
	case vectoring:
		o.putVectors()
	}
	o.kind, o.blocks, o.segments, o.ids, o.vectors = nothing, nil, nil, nil, nil
}

func (o *orders) putBlocks() {
	if len(o.blocks) == 0 {
		return
	}
	o.emit(`INSERT INTO index_blocks (box, segment, n, data) SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::integer[], $4::bytea[])`,
		column(o.blocks, func(b blockOrder) int64 { return b.num }),
		column(o.blocks, func(b blockOrder) int64 { return b.segment }),
		column(o.blocks, func(b blockOrder) int32 { return b.n }),
		column(o.blocks, func(b blockOrder) []byte { return b.data }))
}

func (o *orders) putSegments() {
	if len(o.segments) == 0 {
		return
	}
	type s = store.Segment
	boxes := column(o.segments, func(s s) int64 { return int64(s.Mailbox) })
	o.emit(`INSERT INTO index_segments (box, id, docs, blocks, min_seq, max_seq, bytes)
		SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::integer[], $4::integer[], $5::bigint[], $6::bigint[], $7::bigint[])`,
		boxes, column(o.segments, func(s s) int64 { return s.ID }),
		column(o.segments, func(s s) int32 { return int32(s.Docs) }),
		column(o.segments, func(s s) int32 { return int32(s.Blocks) }),
		column(o.segments, func(s s) int64 { return s.MinSeq }),
		column(o.segments, func(s s) int64 { return s.MaxSeq }), column(o.segments, func(s s) int64 { return s.Bytes }))
	o.emit(`INSERT INTO index_unmerged SELECT DISTINCT box FROM unnest($1::bigint[]) box ORDER BY box ON CONFLICT DO NOTHING`, boxes)
}

// putVectors writes vectors in the order of their keys, so that two nodes that write the same do not wait for each
// other, and of those with the same key the last.
func (o *orders) putVectors() {
	slices.SortStableFunc(o.vectors, func(a, b vectorOrder) int {
		return cmp.Or(cmp.Compare(a.num, b.num),
			cmp.Compare(a.seq, b.seq))
	})
	var last []vectorOrder
	for i, v := range o.vectors {
		if i+1 == len(o.vectors) || o.vectors[i+1].num != v.num || o.vectors[i+1].seq != v.seq {
			last = append(last, v)
		}
	}
	o.emit(`INSERT INTO index_vectors SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bytea[]) ON CONFLICT (box, seq) DO UPDATE SET data = excluded.data`,
		column(last, func(v vectorOrder) int64 { return v.num }),
		column(last, func(v vectorOrder) int64 { return v.seq }),
		column(last, func(v vectorOrder) []byte { return v.data }))
}

// column returns one column of rows.
func column[R, T any](rows []R, of func(R) T) []T {
	list := make([]T, len(rows))
	for i, r := range rows {
		list[i] = of(r)
	}
	return list
}

func (u *indexUpdate) SetPlace(partition int, place int64) error {
	u.orders.add(`INSERT INTO index_progress VALUES ($1, $2, '') ON CONFLICT (what) DO UPDATE SET place = excluded.place`,
		u.x.wordsOf(partition), place)
	return u.asked()
}

func (u *indexUpdate) PutBlock(num mailbox.Num, segment int64, n int, data []byte) error {
	u.orders.group(putting, 0)
	u.orders.bytes += len(data)
	u.orders.blocks = append(u.orders.blocks, blockOrder{int64(num), segment, int32(n), append([]byte{}, data...)})
	return u.asked()
}

func (u *indexUpdate) PutSegment(s store.Segment) error {
	u.orders.group(putting, 0)
	u.orders.segments = append(u.orders.segments, s)
	return u.asked()
}

func (u *indexUpdate) DeleteSegment(num mailbox.Num, segment int64) error {
	if u.gone == nil {
		u.gone = make(map[int64]bool)
	}
	u.gone[segment] = true
	u.orders.group(deleting, num)
	u.orders.ids = append(u.orders.ids, segment)
	return u.asked()
}

func (u *indexUpdate) Drop(num mailbox.Num, seq int64) error {
	if seq != 0 {
		u.orders.group(dropping, num)
		u.orders.ids = append(u.orders.ids, seq)
		return u.asked()
	}
	u.boxGone(num)
	for _, table := range []string{"vectors", "asked", "segments", "blocks", "dropped", "unmerged", "renewals"} {
		u.orders.add(`DELETE FROM index_`+table+` WHERE box = $1`, int64(num))
	}
	return u.asked()
}

func (u *indexUpdate) Undrop(num mailbox.Num, seqs []int64) error {
	u.orders.group(undropping, num)
	u.orders.ids = append(u.orders.ids, seqs...)
	u.orders.bytes += 8 * len(seqs)
	return u.asked()
}

func (u *indexUpdate) Merged(num mailbox.Num) error {
	u.orders.add(`DELETE FROM index_unmerged WHERE box = $1`, int64(num))
	return u.asked()
}

func (u *indexUpdate) Renew(num mailbox.Num) error {
	u.orders.add(`INSERT INTO index_renewals VALUES ($1) ON CONFLICT DO NOTHING`, int64(num))
	return u.asked()
}

func (u *indexUpdate) Renewed(num mailbox.Num) error {
	u.boxGone(num)
	u.orders.add(`DELETE FROM index_renewals WHERE box = $1`, int64(num))
	u.orders.add(`DELETE FROM index_blocks b WHERE box = $1 AND NOT EXISTS (SELECT FROM index_segments s WHERE s.box = b.box AND s.id = b.segment)`, int64(num))
	return u.asked()
}

func (u *indexUpdate) SetVectorPlace(place int64, model string) error {
	u.orders.add(`DELETE FROM index_vectors WHERE EXISTS (SELECT FROM index_progress WHERE what = 'vectors' AND model <> $1)`, model)
	u.orders.add(`UPDATE index_progress SET place = $1, model = $2 WHERE what = 'vectors'`, place, model)
	return u.asked()
}

func (u *indexUpdate) PutVector(num mailbox.Num, seq int64, vector []byte) error {
	u.orders.group(vectoring, 0)
	u.orders.bytes += len(vector)
	u.orders.vectors = append(u.orders.vectors, vectorOrder{int64(num), seq, append([]byte{}, vector...)})
	return u.asked()
}

func (u *indexUpdate) Ask(num mailbox.Num, at time.Time) error {
	u.orders.add(`INSERT INTO index_asked VALUES ($1, $2) ON CONFLICT (box) DO UPDATE SET at = excluded.at`, int64(num),
		at.UnixMilli())
	return u.asked()
}
