package segment

import "context"

// work counts what a query does: a chunk of postings is one.
type work struct{ left int }

// spend is called before what costs something. The budget is looked at between documents only, so that every call of
// Eval decides at least one.
func (w *work) spend(ctx context.Context, n int) error {
	if w != nil {
		w.left -= n
	}
	return ctx.Err()
}
