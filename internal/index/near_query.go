package index

import (
	"context"
	"sync"

	"github.com/mailkin/mailkin/internal/search/meaning"
)

// queriesMost is how many queries are remembered.
const queriesMost = 64

// queries are those that were read of late: each page of what was found asks for the same one, and reading it takes
// longer than comparing it. Its zero value is ready to use.
type queries struct {
	mu   sync.Mutex
	read map[string]meaning.Query
}

func (q *queries) find(text string) (meaning.Query, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	read, ok := q.read[text]
	return read, ok
}

func (q *queries) keep(text string, read meaning.Query) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.read == nil || len(q.read) >= queriesMost {
		q.read = make(map[string]meaning.Query)
	}
	q.read[text] = read
}

// query reads what is looked for, unless it was read of late.
func (ix *Index) query(ctx context.Context, text string) (meaning.Query, error) {
	if known, ok := ix.queries.find(text); ok {
		return known, nil
	}
	read, err := ix.readQuery(ctx, text)
	if err == nil {
		ix.queries.keep(text, read)
	}
	return read, err
}

func (ix *Index) readQuery(ctx context.Context, text string) (meaning.Query, error) {
	if e, ok := ix.opt.Encoder.(CloseEncoder); ok {
		return e.Query(text), nil
	}
	made, err := ix.opt.Encoder.Vectors(ctx, []string{text})
	if err != nil {
		return meaning.Query{}, err
	}
	return meaning.Query{Vector: made[0]}, nil
}
