package test

import (
	"os"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/blob/s3test"
	"github.com/mailkin/mailkin/internal/store/postgres/pgtest"
)

// The same scenarios run on each store. MAILKIN_TEST_STORE says which: nothing for the embedded one, "postgres" for
// PostgreSQL with large messages in a bucket, "pooler" for the same behind PgBouncer, which gives out connections by
// the transaction.

func onPostgres() bool { return os.Getenv("MAILKIN_TEST_STORE") != "" }

// embedded skips a test that is about the embedded store's own files.
func embedded(t testing.TB) {
	t.Helper()
	if onPostgres() {
		t.Skip("it is about the files of the embedded store")
	}
}

// storage returns the settings of a new, empty store, and its bucket if it has one.
func storage(t testing.TB) ([]string, *s3test.Server) {
	t.Helper()
	if !onPostgres() {
		return nil, nil
	}
	bucket, database := s3test.Start(t), pgtest.URL(t)
	settings := append(secrets(), "MAILKIN_BLOB_URL="+bucket.URLWithKeys())
	if os.Getenv("MAILKIN_TEST_STORE") == "pooler" {
		return append(settings, pooled(t, database)...), bucket
	}
	return append(settings, "MAILKIN_DATABASE_URL="+database), bucket
}

// pooled are the settings for a database behind a pooler.
func pooled(t testing.TB, database string) []string {
	return []string{"MAILKIN_DATABASE_URL=" + pgtest.Pooler(t, database), "MAILKIN_DATABASE_LISTEN_URL=" + database,
		"MAILKIN_DATABASE_POOLER=on"}
}

// secrets are what all nodes of a deployment share.
func secrets() []string {
	return []string{"MAILKIN_SECRET=" + strings.Repeat("root-of-all-", 4), "AUTH_TOKEN=operator-of-several-nodes"}
}

// tokenIn finds the operator's token in settings.
func tokenIn(environ []string) (token string) {
	for _, s := range environ {
		if value, ok := strings.CutPrefix(s, "AUTH_TOKEN="); ok {
			token = value
		}
	}
	return token
}
