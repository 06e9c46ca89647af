package api

import (
	"encoding/json"
	"strings"
	"testing"
)

// What this package does not know it hands on.
func TestValues(t *testing.T) {
	for _, text := range []string{
		`{"email_id":"1","extraction":[{"type":"poem","lines":[1,2]},{"type":"code","code":null,"links":[],"confidence":0,` +
			`"source":null,"candidates":[]}]}`,
		`{"email_id":"1","extraction":{"type":"poem"}}`, `{"email_id":"1","extraction":[]}`,
	} {
		var x Extraction
		if err := json.Unmarshal([]byte(text), &x); err != nil {
			t.Fatal(err)
		}
		if again, err := json.Marshal(x); err != nil || string(again) != text {
			t.Errorf("%s became %s, %v", text, again, err)
		}
	}
	if _, err := json.Marshal(Record{Type: "poem"}); err == nil {
		t.Error("a record without content was written")
	}
	var v struct {
		T       Time
		E       Time
		S       NullString
		N       NullInt
		D, Zero Decimal
	}
	const text = `{"T":"2026-01-02T03:04:05.600Z","E":null,"S":"x","N":7,"D":10.50,"Zero":null}`
	if err := json.Unmarshal([]byte(strings.Replace(text, "03:04:05.600Z", "04:04:05.6+01:00", 1)), &v); err != nil {
		t.Fatal(err)
	}
	if again, err := json.Marshal(v); err != nil || string(again) != text {
		t.Errorf("%s, %v", again, err)
	}
	if err := json.Unmarshal([]byte(`{"D":"x"}`), &v); err == nil {
		t.Error("a text was taken for a number")
	}
}

// Headers keep their order, and are not escaped for HTML.
func TestHeaders(t *testing.T) {
	for _, text := range []string{`{"Zeta":"<1>","alpha":"2\n3","__proto__":"\"&"}`, `{}`} {
		var h Headers
		if err := json.Unmarshal([]byte(text), &h); err != nil {
			t.Fatal(err)
		}
		if again, err := Marshal(h); err != nil || string(again) != text {
			t.Errorf("%s became %s, %v", text, again, err)
		}
		if text != `{}` && h.Get("ALPHA") != "2\n3" || h.Get("none") != "" {
			t.Errorf("%s: alpha is %q", text, h.Get("ALPHA"))
		}
	}
	h := Headers{{Name: "a", Value: "b"}}
	if err := json.Unmarshal([]byte(`null`), &h); err != nil || h != nil {
		t.Errorf("null became %v, %v", h, err)
	}
	for _, text := range []string{`[]`, `"x"`, `{"a":1}`} {
		if err := json.Unmarshal([]byte(text), &h); err == nil {
			t.Errorf("%s was taken for headers", text)
		}
	}
}
