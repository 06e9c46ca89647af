package record

import "testing"

func TestLocate(t *testing.T) {
	for _, tt := range []struct {
		name, subject, body string
		want                map[string]string
	}{
		{"german order", "Ihre Bestellung – danke!", "Grüße aus München\n\nBestellnummer: 4482019\nBestelldatum: 13. März 2026\n" +
			"Tasse 12,40 €\nZwischensumme: 1.249,80 €\nGesamtsumme: 1.249,80 €\n",
			map[string]string{"order_id": "4482019", "total": "1.249,80 €", "date": "13. März 2026"}},
		{"number in the subject alone", "Order confirmation #A-99120", "Thank you for your order!\n\nTotal: $42.50\n",
			map[string]string{"order_id": "A-99120", "total": "$42.50"}},
		{"japanese order", "ご注文の確認", "ご注文ありがとうございます。\n注文番号：4482019\n合計：￥4,820\n注文日：2026年3月13日\n",
			map[string]string{"order_id": "4482019", "total": "￥4,820", "date": "2026年3月13日"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			found := Find(Mail{Subject: tt.subject, Text: tt.body, Date: mailDate})
			found.Locate(tt.subject, tt.body, mailDate)
			if len(found.Orders) != 1 {
				t.Fatalf("got %+v", found)
			}
			got := map[string]string{}
			for _, s := range found.Orders[0].Spans {
				got[s.Field] = s.Text
				in := []rune(tt.body)
				if s.Subject {
					in = []rune(tt.subject)
				}
				if shown := string(in[s.From:s.To]); shown != s.Text {
					t.Errorf("%s: the span shows %q, the text is %q", s.Field, shown, s.Text)
				}
			}
			for field, want := range tt.want {
				if got[field] != want {
					t.Errorf("%s: got %q, want %q", field, got[field], want)
				}
			}
		})
	}
}

// The sum of a total is that of its label, and not one before it that is as large.
func TestLocateGoesByLabels(t *testing.T) {
	const body = "Order number: 4482019\nSubtotal: 12.00 EUR\nOrder total: 12.00 EUR\n"
	found := Find(Mail{Subject: "Order confirmation", Text: body, Date: mailDate})
	found.Locate("Order confirmation", body, mailDate)
	for _, s := range found.Orders[0].Spans {
		if s.Field == "total" && s.From < 50 {
			t.Errorf("total at %d: that is the subtotal", s.From)
		}
	}
}

// What only the markup says is shown nowhere.
func TestLocateFindsNothingThatIsNotShown(t *testing.T) {
	found := Found{Shippings: []Shipping{{TrackingNumber: "1Z999AA10123456784", Carrier: "UPS"}}}
	found.Locate("Your parcel", "It is on its way with UPSTREAM.", mailDate)
	if got := found.Shippings[0].Spans; len(got) != 0 {
		t.Errorf("got %+v", got)
	}
}
