package sqlite

import (
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/store"
)

// A purge must not walk a mailbox's rows once for each step: that is the square of a large mailbox.
func TestPurgePlans(t *testing.T) {
	db := newDB(t)
	for _, sql := range purgeSteps {
		err := db.View(t.Context(), func(r store.Reader) error {
			return r.(*queries).sql(`EXPLAIN QUERY PLAN ` + sql).int(1).int(2).int(3).each(func(r row) error {
				t.Log(r.text(3))
				if strings.Contains(r.text(3), "SCAN") {
					t.Errorf("%s: %s", sql, r.text(3))
				}
				return nil
			})
		})
		if err != nil {
			t.Errorf("%s: %v", sql, err)
		}
	}
}
