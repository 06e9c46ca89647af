package sender

import (
	"crypto/sha256"
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/costtest"
)

const costValue = 15 << 10

// costHeads are headers with a place for what is repeated.
func costHeads(text string) []string {
	return []string{
		"From: a@example.com\r\nDKIM-Signature: " + text + "\r\n\r\nx",
		"From: a@example.com\r\nDKIM-Signature: v=1; a=rsa-sha256; d=example.com; s=s; bh=AAAA; b=AAAA; h=from:" +
			text + "\r\n\r\nx",
		"From: a@example.com\r\n" + text + "\r\n\r\nx",
		"From: a@example.com\r\n" + strings.Repeat("DKIM-Signature: "+text[:min(len(text), 200)]+"\r\n", 100) + "\r\nx",
	}
}

// readCost reads a header, and hashes it as its signatures ask for.
func readCost(raw string) {
	m := readMessage(strings.NewReader(raw), int64(len(raw)), time.Time{})
	for _, s := range m.signatures[:min(len(m.signatures), maxSignatures)] {
		m.head.hashFields(sha256.New(), s.names, s.field, true)
		m.head.hashFields(sha256.New(), s.names, s.field, false)
	}
}

// No header costs much more than its bytes to check.
func TestHeaderCost(t *testing.T) {
	for _, unit := range append([]string{"a:", "x:\r\n", "x: y\r\n", "from:", "a=b;", "h=a:b;", "a;", ";;"},
		costtest.Units...) {
		for i, raw := range costHeads(costtest.Long("", unit, "", costValue)) {
			if why := costtest.Excess(len(raw), func() { readCost(raw) }); why != "" {
				t.Errorf("header %d: %q again and again: %s", i, unit, why)
			}
		}
	}
	names := "v=1; a=rsa-sha256; d=example.com; s=s; bh=AAAA; b=AAAA; h=from" + strings.Repeat(":z", maxSigned-1)
	raw := strings.Repeat("y:\r\n", maxFields-maxSignatures-1) + "From: a@example.com\r\n" +
		strings.Repeat("DKIM-Signature: "+names+"\r\n", maxSignatures) + "\r\nx"
	if why := costtest.Excess(len(raw), func() { readCost(raw) }); why != "" {
		t.Errorf("signatures of fields that are not there: %s", why)
	}
}

// FuzzHeaderCost looks for a header that costs more than its bytes.
func FuzzHeaderCost(f *testing.F) {
	f.Add("", "a:", "")
	f.Fuzz(func(t *testing.T, before, unit, after string) {
		if len(unit) > 64 || len(before)+len(after) > 200 {
			return
		}
		for i, raw := range costHeads(costtest.Long(before, unit, after, costValue)) {
			if why := costtest.Excess(len(raw), func() { readCost(raw) }); why != "" {
				t.Errorf("header %d: %s", i, why)
			}
		}
	})
}
