package zone

import (
	"testing"

	"github.com/mailkin/mailkin/internal/sender"
)

// The records of keys that sign are what is looked for.
func TestRecordsOfKeys(t *testing.T) {
	p := testPlan()
	p.Selectors = nil
	for _, kind := range []string{sender.Ed25519, sender.RSA} {
		text, err := sender.NewKey(kind)
		if err != nil {
			t.Fatal(err)
		}
		key, err := sender.ParseKey(text)
		if err != nil {
			t.Fatal(err)
		}
		p.Selectors = append(p.Selectors, Selector{kind, sender.Record(key)})
	}
	got := p.Check(t.Context(), &world{lines: published(p)})
	for kind, host := range map[string]string{KindDKIM: "rsa._domainkey.example.com",
		KindDKIMEd25519: "ed25519._domainkey.example.com"} {
		if f := got.of(t, kind); !f.Verified || f.Record.Host != host || f.Found[0] != f.Record.Value {
			t.Errorf("%+v", f)
		}
	}
}
