package service_test

import (
	"testing"

	"github.com/mailkin/mailkin/internal/costtest"
	"github.com/mailkin/mailkin/internal/service"
)

// costFields are those that something understands, besides what the parser reads.
var costFields = []string{
	"From", "Reply-To", "Subject", "List-Unsubscribe", "List-Id", "Auto-Submitted", "Return-Path",
	"X-Failed-Recipients",
	"Authentication-Results", "Content-Type", "References",
}

const costValue = 16 << 10

// No header costs much more than its bytes, whatever is understood of it at receipt, or when the message is read.
func TestHeaderCost(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	service.ReadMail([]byte("Subject: x\r\n\r\nx")) // makes the tables of words
	for _, field := range costFields {
		for _, unit := range costtest.Units {
			raw := []byte(field + ": " + costtest.Long("", unit, "", costValue) + "\r\n\r\nbody\r\n")
			if why := costtest.Excess(len(raw), func() { service.ReadMail(raw) }); why != "" {
				t.Errorf("%s: %q again and again: %s", field, unit, why)
			}
		}
		for _, value := range []string{"", "a@b.example", "<a@b.example>", "text/plain; charset=x", "=?utf-8?q?a?="} {
			raw := []byte(costtest.Long("", field+": "+value+"\r\n", "", 2*costValue) + "\r\nbody\r\n")
			if why := costtest.Excess(len(raw), func() { service.ReadMail(raw) }); why != "" {
				t.Errorf("%s: %q in many fields: %s", field, value, why)
			}
		}
	}
}

// FuzzHeaderCost looks for a header that costs more than its bytes.
func FuzzHeaderCost(f *testing.F) {
	service.ReadMail([]byte("Subject: x\r\n\r\nx"))
	for i := range costFields {
		f.Add(uint8(i), "", costtest.Units[i], "")
	}
	f.Fuzz(func(t *testing.T, field uint8, before, unit, after string) {
		if len(unit) > 64 || len(before)+len(after) > 200 {
			return
		}
		raw := []byte(costFields[int(field)%len(costFields)] + ": " + costtest.Long(before, unit, after, costValue) +
			"\r\n\r\nbody\r\n")
		if why := costtest.Excess(len(raw), func() { service.ReadMail(raw) }); why != "" {
			t.Error(why)
		}
	})
}
