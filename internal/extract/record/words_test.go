package record

import (
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/lexicon"
)

// firstPhrases returns the first phrase of each list of each language that has orders.
func firstPhrases() map[string]map[string]string {
	of := map[string]map[string]string{}
	for l := range lexicon.Lists("record") {
		if of[l.Language] == nil {
			of[l.Language] = map[string]string{}
		}
		first, _, _ := strings.Cut(l.Phrases, ",")
		of[l.Language][l.Name] = strings.TrimSuffix(strings.TrimSpace(first), "*")
	}
	for language, lists := range of {
		if lists["orderNo"] == "" {
			delete(of, language) // it has but names of months
		}
	}
	return of
}

// With the first words of every language a mail is read as what it is.
func TestEveryLanguage(t *testing.T) {
	for name, l := range firstPhrases() {
		t.Run(name, func(t *testing.T) {
			order := Find(Mail{From: "shop@shop.example", Subject: l["orderDone"], Text: l["orderNo"] + ": 12345678\n" +
				l["orderDate"] + ": 2026-03-13\n" + l["grandTotal"] + ": 12.50 EUR\n", Date: mailDate})
			if len(order.Orders) != 1 || order.Orders[0].OrderID != "12345678" || order.Orders[0].Total != "12.50" ||
				order.Orders[0].Date != "2026-03-13" {
				t.Errorf("order: %+v", order)
			}
			paid := Find(Mail{From: "shop@shop.example", Subject: l["receipt"],
				Text: l["grandTotal"] + ": 12.50 EUR\n" + l["methodIs"] + ": Visa\n", Date: mailDate})
			if len(paid.Receipts) != 1 || paid.Receipts[0].Amount != "12.50" ||
				paid.Receipts[0].PaymentMethod != "Visa" {
				t.Errorf("receipt: %+v", paid)
			}
			sent := Find(Mail{From: "shop@shop.example", Subject: l["shipped"],
				Text: l["parcel"] + "\n" + l["trackNo"] + ": 123456789\n" + l["etaIs"] + ": 2026-03-17\n",
				Date: mailDate})
			if len(sent.Shippings) != 1 || sent.Shippings[0].TrackingNumber != "123456789" ||
				sent.Shippings[0].Status != Shipped || sent.Shippings[0].ETA != "2026-03-17" {
				t.Errorf("shipping: %+v", sent)
			}
			if l["apptSaid"] == "" {
				return
			}
			meeting := Find(Mail{From: "a@firm.example", Subject: l["apptSaid"],
				Text: l["when"] + ": 2026-03-20 10:00\n" + l["where"] + ": Berlin\n", Date: mailDate})
			if len(meeting.Calendars) != 1 || meeting.Calendars[0].Date != "2026-03-20" ||
				meeting.Calendars[0].Time != "10:00" || meeting.Calendars[0].Location != "Berlin" {
				t.Errorf("calendar: %+v", meeting)
			}
		})
	}
}

func TestLanguageOf(t *testing.T) {
	for want, text := range map[string]string{
		"en": "Thank you for your order, we will let you know", "de": "Vielen Dank für Ihre Bestellung, wir melden uns",
		"fr": "Merci pour votre commande, nous vous informons", "es": "Gracias por tu compra, el pedido es para " +
			"la tienda",
		"it": "Grazie per il tuo ordine, il pacco è stato spedito", "nl": "Bedankt voor je bestelling, het pakket is " +
			"onderweg", "pt": "Obrigado pela sua compra, o pedido foi enviado", "pl": "Dziękujemy za zamówienie, " +
			"paczka jest w drodze",
		"sv": "Tack för din beställning, vi har skickat ditt paket", "nb": "Takk for bestillingen, pakken er på vei " +
			"til deg", "da": "Tak for din ordre, pakken er på vej til dig", "ja": "ご注文ありがとうございます。お客様の商品です",
		"zh": "感谢您的订购，您的订单已确认", "ko": "고객님, 주문해 주셔서 감사합니다", "tr": "Siparişiniz için teşekkürler, bu bir bilgi",
		"ru": "Спасибо за заказ, мы для вас", "": "12345",
	} {
		if got := languageOf([]*page{textPage("", text)}); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
