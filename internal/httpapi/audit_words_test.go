package httpapi

import (
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// There is a sentence for each route that the audit log may name.
func TestAuditHasWords(t *testing.T) {
	t.Parallel()
	own := map[string]bool{"GET /v1/me": true, "DELETE /v1/session": true} // never in the log; "sign-out" there
	for _, r := range routes {
		verb := r.method + " " + r.paths()[0]
		if r.need == 0 || strings.HasPrefix(r.path, "/") || own[verb] {
			continue
		}
		if (mailbox.Audit{Action: verb}).Deed() == "" {
			t.Errorf("mailbox/audit_words.go has no words for %s", verb)
		}
	}
}
