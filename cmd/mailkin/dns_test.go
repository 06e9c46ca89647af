package main

import (
	"strings"
	"testing"

	"github.com/mailkin/mailkin/api"
)

// What could not be looked up is not said to be missing.
func TestSheetFault(t *testing.T) {
	const why = "It was not looked up: this service does not ask the DNS (setting dns)."
	entry := func(kind, state, problem string) api.DNSEntry {
		return api.DNSEntry{DNSRecord: api.DNSRecord{Type: kind, Host: "x.example"}, Needed: true, State: state,
			Problem: problem}
	}
	err := sheetFault(&api.DNSSheet{Records: []api.DNSEntry{entry("MX", "unknown", why), entry("TXT", "unknown", why)}})
	if err == nil || err.Error() != "could not be looked up: MX at x.example, TXT at x.example. "+why {
		t.Errorf("without a DNS: %v", err)
	}
	err = sheetFault(&api.DNSSheet{Records: []api.DNSEntry{entry("MX", "missing", "None."), entry("A", "ok", ""),
		entry("TXT", "unknown", why)}})
	if err == nil || !strings.HasPrefix(err.Error(), "not in the DNS as needed: MX at x.example; could not be looked up") {
		t.Errorf("with one that is missing: %v", err)
	}
}
