package httpapi

import (
	"os"
	"strings"
	"testing"
)

// The console has a sentence for each route that the audit log may name.
func TestAuditHasWords(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../console/web/page/audit.js")
	if err != nil {
		t.Fatal(err)
	}
	own := map[string]bool{"GET /v1/me": true, "DELETE /v1/session": true} // never in the log; "sign-out" there
	for _, r := range routes {
		verb := r.method + " " + r.paths()[0]
		if r.need == 0 || strings.HasPrefix(r.path, "/") || own[verb] {
			continue
		}
		if !strings.Contains(string(page), `"`+verb+`": "`) {
			t.Errorf("page/audit.js has no words for %s", verb)
		}
	}
}
