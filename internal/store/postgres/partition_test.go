package postgres

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/postgres/pgtest"
)

// recorder notes every statement that a store sends, with arguments of one time that it was sent.
type recorder struct {
	mu   sync.Mutex
	sent map[string][]any
}

func (r *recorder) note(sql string, args []any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	had, ok := r.sent[sql]
	if !ok || listLength(args) > listLength(had) {
		r.sent[sql] = args
	}
}

// listLength is how long the lists and texts among arguments are: a statement with empty ones may touch nothing.
func listLength(args []any) (n int) {
	for _, a := range args {
		if v := reflect.ValueOf(a); v.Kind() == reflect.Slice {
			n += v.Len()
		}
	}
	return n
}

func (r *recorder) TraceQueryStart(ctx context.Context, _ *pgx.Conn, d pgx.TraceQueryStartData) context.Context {
	r.note(d.SQL, d.Args)
	return ctx
}

func (r *recorder) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func (r *recorder) TraceBatchStart(ctx context.Context, _ *pgx.Conn, d pgx.TraceBatchStartData) context.Context {
	for _, q := range d.Batch.QueuedQueries {
		r.note(q.SQL, q.Arguments)
	}
	return ctx
}

func (r *recorder) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}
func (r *recorder) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData)     {}

// severalParts are the statements that may touch more than one part of a table, by a piece of their text, each with the
// reason. Everything else names its mailbox.
var severalParts = []struct{ piece, reason string }{
	{"FROM messages_0 WHERE place > ", "the index's orders of the partitions that a node has, of each by its own name"},
	{"UPDATE places SET base", "the start looks for the highest place"},
	{"FROM messages ORDER BY place DESC", "the operator's list of what happened last"},
	{"FROM events ORDER BY at DESC", "the same"},
	{"LEFT JOIN LATERAL (SELECT received_at FROM messages WHERE box = c.box",
		"the operator's list of mailboxes: a page of them"},
	{"FROM messages WHERE id = $1", "a message by its id alone: a return path, an operator's question"},
	{"(SELECT m.box FROM messages m WHERE m.thread = c.id", "a thread by its id alone: an operator's question"},
	{"FROM deliveries WHERE next_at > 0", "the queue of all mailboxes, by destination and age"},
	{"FROM deliveries WHERE destination = $1", "the same"},
	{"FROM deliveries WHERE status = ", "what operators look at of that queue"},
	{"FROM deliveries WHERE provider = $1", "a provider's callback knows its own number alone"},
	{"UPDATE deliveries SET next_at = $1, leased = false WHERE leased", "the start of a node that is alone"},
	{"JOIN hooks h ON h.target = t.id AND h.next_at > 0 WHERE t.next_at > 0", "the backlog, for the operator"},
	{"DELETE FROM events e USING", "the chore that takes away old events"},
	{"DELETE FROM hooks h USING", "the chore that takes away old hooks"},
	{"AND NOT EXISTS (SELECT 1 FROM hooks WHERE target = t.id)", "the same: targets that have none left"},
	{"EXISTS (SELECT 1 FROM docs WHERE blob = key)", "the sweep of the bucket asks which of its names are in use"},
	{"index_vectors WHERE EXISTS", "with another model all vectors are made again"},
}

var (
	explainable = regexp.MustCompile(`^\s*\(?(SELECT|INSERT|UPDATE|DELETE|WITH)\b`)
	aPart       = regexp.MustCompile(` on (\w+)_(\d+)\b`)
	cutTables   = regexp.MustCompile(`\b(messages|docs|refs|events|contacts|deliveries|hooks|part_texts|` +
		`index_(segments|blocks|vectors))\b`)
)

// Each statement of the store goes to one part of the tables that are cut by mailbox, but for a few that are written
// down above. So a distributed database has one server to ask.
func statementsTouchOnePart(t *testing.T, rec *recorder) {
	db := openStore(t, pgtest.URL(t), Options{Partitions: 64})
	conn, err := db.pool.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Release()
	used := make([]bool, len(severalParts))
	for sql, args := range rec.sent {
		if !explainable.MatchString(sql) {
			continue
		}
		parts, err := touched(t.Context(), conn.Conn(), sql, args)
		if err != nil {
			t.Errorf("%v: %s", err, sql)
		}
		if len(parts) <= 1 {
			continue
		}
		allowed := false
		for i, s := range severalParts {
			if strings.Contains(sql, s.piece) {
				allowed, used[i] = true, true
			}
		}
		if !allowed {
			t.Errorf("touches %d parts: %s", len(parts), sql)
		}
	}
	for i, s := range severalParts {
		if !used[i] {
			t.Errorf("no statement with %q touches several parts", s.piece)
		}
	}
	for _, s := range literals(t) {
		if cutTables.MatchString(s) && !rec.has(s) {
			t.Errorf("was never sent, so nobody knows what it touches: %s", s)
		}
	}
}

// touched returns the numbers of the parts that a statement goes to with its arguments.
func touched(ctx context.Context, conn *pgx.Conn, sql string, args []any) (map[string]bool, error) {
	rows, err := conn.Query(ctx, `EXPLAIN (COSTS OFF) `+sql, args...)
	if err != nil {
		return nil, err
	}
	steps, err := pgx.CollectRows(rows, pgx.RowTo[string])
	parts := make(map[string]bool)
	for _, step := range steps {
		for _, m := range aPart.FindAllStringSubmatch(step, -1) {
			parts[m[2]] = true
		}
	}
	return parts, err
}

// has tells whether a piece of text was sent.
func (r *recorder) has(piece string) bool {
	for sql := range r.sent {
		if strings.Contains(sql, piece) {
			return true
		}
	}
	return false
}

// literals are the statements in the source of the package and of query.
func literals(t *testing.T) (list []string) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	shared, err := filepath.Glob("../query/*.go")
	if err != nil || len(shared) == 0 {
		t.Fatal(shared, err)
	}
	for _, f := range append(files, shared...) {
		if strings.HasSuffix(f, "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), f, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			if b, ok := n.(*ast.BasicLit); ok && b.Kind == token.STRING {
				if s, err := strconv.Unquote(b.Value); err == nil && explainable.MatchString(s) {
					list = append(list, dollars(s))
				}
			}
			return true
		})
	}
	return list
}

// askMore sends what the suites do not.
func askMore(t *testing.T, db *DB) {
	ctx, num := t.Context(), insertBox(t, db, "more@x.org")
	next := *db.era.Load() // as after a restore
	next.number++
	db.era.Store(&next)
	m, c := benchMail(1, num)
	for range 2 { // known the second time
		mustUpdate(t, db, func(tx store.Tx) error { return receiveMail(tx, m, c) })
	}
	err := db.Update(ctx, func(tx store.Tx) error {
		_, err := tx.Message(ctx, 0, m.ID)
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
