package rfc822

import (
	"testing"

	"github.com/mailkin/mailkin/internal/costtest"
)

// costFields are the fields that something reads, and one that is only shown.
var costFields = []string{
	"From", "Subject", "Date", "Message-ID", "References", "Content-Type", "Content-Disposition",
	"Content-Transfer-Encoding", "Content-ID",
}

// costValue is long enough that what is not linear shows.
const costValue = 32 << 10

// costHead is a message with one field, whose value is what is repeated.
func costHead(field, before, unit, after string) []byte {
	value := costtest.Long(before, unit, after, costValue)
	return []byte(field + ": " + value + "\r\n\r\nbody\r\n")
}

// readHead reads all that can be asked of a header.
func readHead(raw []byte) {
	m := Parse(raw, Limits{})
	m.Header.Fields()
	m.Header.First("X-Other")
	m.Header.Raw("X-Other")
}

// costEnds stand before and after what is repeated.
var costEnds = [][2]string{{"", ""}, {"text/plain; x=a", " y"}, {"a <", "?="}, {`a; b="`, ";"}}

// No header costs much more than its bytes, at receipt or whenever it is read again.
func TestHeaderCost(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	for _, field := range costFields {
		for _, unit := range costtest.Units {
			for _, ends := range costEnds {
				raw := costHead(field, ends[0], unit, ends[1])
				if why := costtest.Excess(len(raw), func() { readHead(raw) }); why != "" {
					t.Errorf("%s: %q, %q again and again, %q: %s", field, ends[0], unit, ends[1], why)
				}
			}
		}
	}
}

// FuzzHeaderCost looks for a header that costs more than its bytes.
func FuzzHeaderCost(f *testing.F) {
	for i, unit := range costtest.Units {
		f.Add(uint8(i), "", unit, "")
		f.Add(uint8(i+7), "a=x", unit, "?=")
	}
	f.Fuzz(func(t *testing.T, field uint8, before, unit, after string) {
		if len(unit) > 64 || len(before)+len(after) > 200 {
			return
		}
		raw := costHead(costFields[int(field)%len(costFields)], before, unit, after)
		if why := costtest.Excess(len(raw), func() { readHead(raw) }); why != "" {
			t.Error(why)
		}
	})
}
