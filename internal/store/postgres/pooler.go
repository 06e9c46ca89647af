package postgres

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
)

// A pooler that gives out connections by the transaction does not pass on the settings that a client asks for. They
// have to be the role's own then: plans depend on them, and how soon a node that was cut off loses its locks.

// missingSettings returns the statements that set what connections lack.
func (db *DB) missingSettings(ctx context.Context) (statements string, err error) {
	names := slices.Sorted(maps.Keys(sessionSettings))
	// those are the pooler's
	names = slices.DeleteFunc(names, func(name string) bool {
		return name == "application_name" ||
			strings.HasPrefix(name, "tcp_")
	})
	var role, database string
	var have []string
	err = db.pool.QueryRow(ctx, `SELECT current_user, current_database(), array(SELECT current_setting(name) FROM unnest($1::text[]) WITH ORDINALITY AS s(name, n) ORDER BY n)`, names).
		Scan(&role, &database, &have)
	if err != nil {
		return "", err
	}
	var list []string
	for i, name := range names {
		if want := sessionSettings[name]; have[i] != want {
			list = append(list, fmt.Sprintf("ALTER ROLE %s IN DATABASE %s SET %s = '%s'",
				pgx.Identifier{role}.Sanitize(), pgx.Identifier{database}.Sanitize(), name, want))
		}
	}
	return strings.Join(list, "; "), nil
}

// adviseSettings says what is to be set, once and where the operator of the deployment reads it.
func (db *DB) adviseSettings(ctx context.Context) error {
	statements, err := db.missingSettings(ctx)
	if err == nil && statements != "" {
		db.log.Warn("the pooler's connections lack settings: run these statements, and let the pooler reconnect",
			"statements", statements)
	}
	return err
}
