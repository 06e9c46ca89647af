package record

import (
	"slices"
	"strings"
	"testing"
)

func TestIdentify(t *testing.T) {
	for _, tt := range []struct {
		number  string
		carrier string // whose it is, among others
		sole    bool   // and nobody else's
	}{
		{"1Z999AA10123456784", "UPS", true},
		{"1Z999AA10123456785", "", false},
		{"1Z5R89390357567127", "UPS", true},
		{"986578788855", "FedEx", false},
		{"986578788856", "-FedEx", false},
		{"041441760228964", "FedEx", false},
		{"041441760228965", "-FedEx", false},
		{"9611020987654312345672", "FedEx", true},
		{"9400111206206406260787", "USPS", true},
		{"9400111206206406260788", "-USPS", false},
		{"420787459400111206206406260787", "USPS", true},
		{"RR123456785US", "USPS", true},
		{"RR123456786US", "-USPS", false},
		{"RB123456785GB", "Royal Mail", true},
		{"UA123456785SE", "PostNord", true},
		{"AA123456785BR", "Correios", true},
		{"LX123456785CN", "China Post", true},
		{"RA123456785RU", "Russian Post", true},
		{"EE123456785JP", "Japan Post", true},
		{"CP123456785DE", "DHL", true},
		{"CC123456785CA", "Canada Post", true},
		{"3318810025", "DHL", false},
		{"3318810024", "-DHL", false},
		{"00340434161094015902", "DHL", true},
		{"00340434161094015903", "-DHL", false},
		{"JJD0099999999", "DHL", true},
		{"JD0002242617644732", "Yodel", true},
		{"7035114477138472", "Canada Post", false},
		{"7035114477138471", "-Canada Post", false},
		{"320595463938", "Purolator", false},
		{"320595463939", "-Purolator", false},
		{"09980000020033F", "DPD", false},
		{"09980000020033D", "-DPD", false},
		{"01505012345678", "DPD", false},
		{"123456789012", "GLS", false},
		{"400123456782", "-Yamato", false},
		{"400123456784", "Yamato", false},
		{"400123456784", "Sagawa", false},
		{"3SABCD123456789", "PostNL", true},
		{"6A12345678901", "Colissimo", true},
		{"TBA502887274000", "Amazon Logistics", true},
		{"SF1234567890123", "SF Express", true},
		{"YT1234567890123", "YTO Express", true},
		{"C11031500001879", "OnTrac", true},
		{"C11031500001889", "-OnTrac", false},
		{"GE123456789WW", "TNT", true},
		{"H00HYA0012345678", "Evri", true},
		{"PQ4F6P0704104480178750C", "Correos", true},
		{"Z1234567890", "Packeta", true},
		{"JJFI12345678901234567", "Posti", true},
		{"620012345678901234567890", "InPost", false},
		{"12345", "", false},
		{strings.Repeat("1", 50), "", false},
	} {
		t.Run(tt.number, func(t *testing.T) {
			list := identify(tt.number)
			want, absent := strings.CutPrefix(tt.carrier, "-")
			found := false
			for _, g := range list {
				found = found || carriers()[g.carrier].name == want
			}
			if tt.carrier != "" && found == absent {
				t.Errorf("%s: found is %v", want, found)
			}
			if sole := soleCarrier(list); (sole == want) != tt.sole && want != "" {
				t.Errorf("sole carrier %q", sole)
			}
		})
	}
}

// The table of carriers has no field and no check that nobody knows.
func TestCarrierTable(t *testing.T) {
	for line := range dataLines(carrierTable) {
		field, indented := strings.CutPrefix(line, "  ")
		if !indented {
			continue
		}
		key, value, _ := strings.Cut(field, " ")
		_, check, _ := strings.Cut(value, " ; ")
		if _, known := checks[check]; !known || !slices.Contains([]string{"names", "domains", "form", "sure"}, key) {
			t.Errorf("%q is not understood", line)
		}
	}
}

// Every name stands for one carrier.
func TestCarrierNames(t *testing.T) {
	seen := map[string]string{}
	for _, c := range carriers() {
		for name := range strings.SplitSeq(c.names, ",") {
			name = fold(strings.TrimSpace(name))
			if other, ok := seen[name]; ok && name != "" {
				t.Errorf("%q is of %s and %s", name, other, c.name)
			}
			seen[name] = c.name
		}
		for _, s := range c.shapes {
			if s.pattern == "" {
				t.Errorf("%s has an empty pattern", c.name)
			}
		}
	}
}

func TestCarrierName(t *testing.T) {
	for text, want := range map[string]string{
		"DHL Express": "DHL", "FedEx Home Delivery": "FedEx", "ヤマト運輸": "Yamato", "La Poste": "La Poste",
		"http://purl.org/goodrelations/v1#UPS": "UPS", "Bob's Bikes": "Bob's Bikes", "": "",
	} {
		if got := carrierName(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
