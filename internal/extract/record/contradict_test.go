package record

import (
	"fmt"
	"strings"
	"testing"
)

// What only the markup says counts where the mail shows nothing of the kind, and nowhere else.
func TestMarkupThatNobodySees(t *testing.T) {
	ld := func(kind, members string) string {
		return `<script type="application/ld+json">{"@context":"http://schema.org","@type":"` + kind + `",` + members +
			`}</script>`
	}
	order := func(total, id string) string {
		return ld("Order", `"orderNumber":"`+id+`","merchant":{"@type":"Organization","name":"Acme"},"price":"`+total+
			`","priceCurrency":"USD"`)
	}
	parcel := func(number, url string) string {
		return ld("ParcelDelivery", `"trackingNumber":"`+number+`","trackingUrl":"`+url+
			`","carrier":{"@type":"Organization","name":"UPS"}`)
	}
	const (
		shown  = "<p>Order number: 48-2210. Total: $42.50</p>"
		number = "1Z12345E0205271688"
		other  = "1Z999AA10123456784"
		evil   = "https://evil.example/t"
		track  = `<p>Your parcel is on its way. Tracking number: <a href="https://www.ups.com/track?tracknum=` +
			number +
			`">` + number + `</a></p>`
	)
	for _, tt := range []struct{ name, html, has, hasNot string }{
		{"another total", order("97.60", "48-2210") + shown, "42.50", "97.60"},
		{"a price in the small print", order("97.60", "48-2210") + shown + "<p>The chair is $97.60 now.</p>", "42.50",
			"97.60"},
		{"the sum before taxes", order("39.72", "48-2210") + "<p>Subtotal: $39.72</p><p>Tax: $2.78</p>" + shown,
			"42.50", "39.72"},
		{"two orders", order("42.50", "48-2210") + order("97.60", "77-3981") + shown +
			"<p>Order number: 77-3981. Total: $97.60</p>", "97.60", ""},
		{"another number", order("42.50", "77-3981") + shown, "48-2210", "77-3981"},
		{"a total without its word", order("97.60", "48-2210") + "<p>Thank you.</p><p>$42.50</p>", "48-2210", "97.60"},
		{"an invoice", ld("Invoice", `"totalPaymentDue":{"@type":"PriceSpecification","price":"97.60","priceCurrency":`+
			`"USD"},"provider":{"@type":"Organization","name":"Acme"}`) + shown, "42.50", "97.60"},
		{"an invoice of what is due", ld("Invoice", `"totalPaymentDue":{"@type":"PriceSpecification","price":"42.50",`+
			`"priceCurrency":"USD"},"provider":{"@type":"Organization","name":"Acme"}`) +
			"<p>Invoice 12.</p><p>Total: $97.60</p><p>Amount due: $42.50</p>", "42.50", ""},
		{"another parcel", parcel(other, evil) + track, number, other},
		{"another parcel in prose", parcel("RB123456785GB", evil) + "<p>Shipped with UPS, " + other + ".</p>", "",
			"RB123456785GB"},
		{"where it leads", parcel(number, evil) + track, number, "evil"},
		{"nothing is shown", order("97.60", "77-3981") + "<p>Thank you for your order.</p>", "97.60", ""},
		{"a number in a link", parcel(number, "https://t.acme.example/x") +
			`<p>On its way: <a href="https://acme.example/p/` + number + `">Track it</a></p>`, "t.acme.example", ""},
		{"a carrier's own page", parcel(number, "https://www.ups.com/track?tracknum="+number) +
			`<p>On its way: <a href="https://click.example/abc">Track it</a></p>`, "www.ups.com", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			found := fmt.Sprint(Find(Mail{From: "no-reply@acme.example", FromName: "Acme",
				Subject: "Order confirmation",
				View:    seen("<html><body>" + tt.html + "</body></html>")}))
			if !strings.Contains(found, tt.has) {
				t.Errorf("%q was not found: %s", tt.has, found)
			}
			if tt.hasNot != "" && strings.Contains(found, tt.hasNot) {
				t.Errorf("%q was found, which nobody sees: %s", tt.hasNot, found)
			}
		})
	}
}
