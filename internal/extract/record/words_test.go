package record

import (
	"strings"
	"testing"
)

// firstPhrase gives the first phrase of a list.
func firstPhrase(list string) string {
	phrase, _, _ := strings.Cut(list, ",")
	return strings.TrimSuffix(strings.TrimSpace(phrase), "*")
}

// With the first words of every language a mail is read as what it is.
func TestEveryLanguage(t *testing.T) {
	for _, l := range allLanguages() {
		t.Run(l.name, func(t *testing.T) {
			order := Find(Mail{From: "shop@shop.example", Subject: firstPhrase(l.orderDone), Text: firstPhrase(l.orderNo) + ": 12345678\n" + firstPhrase(l.orderDate) + ": 2026-03-13\n" + firstPhrase(l.grandTotal) + ": 12.50 EUR\n", Date: mailDate})
			if len(order.Orders) != 1 || order.Orders[0].OrderID != "12345678" || order.Orders[0].Total != "12.50" || order.Orders[0].Date != "2026-03-13" {
				t.Errorf("order: %+v", order)
			}
			paid := Find(Mail{From: "shop@shop.example", Subject: firstPhrase(l.receipt), Text: firstPhrase(l.grandTotal) + ": 12.50 EUR\n" + firstPhrase(l.methodIs) + ": Visa\n", Date: mailDate})
			if len(paid.Receipts) != 1 || paid.Receipts[0].Amount != "12.50" || paid.Receipts[0].PaymentMethod != "Visa" {
				t.Errorf("receipt: %+v", paid)
			}
			sent := Find(Mail{From: "shop@shop.example", Subject: firstPhrase(l.shipped), Text: firstPhrase(l.parcel) + "\n" + firstPhrase(l.trackNo) + ": 123456789\n" + firstPhrase(l.etaIs) + ": 2026-03-17\n", Date: mailDate})
			if len(sent.Shippings) != 1 || sent.Shippings[0].TrackingNumber != "123456789" || sent.Shippings[0].Status != Shipped || sent.Shippings[0].ETA != "2026-03-17" {
				t.Errorf("shipping: %+v", sent)
			}
			if l.apptSaid == "" {
				return
			}
			meeting := Find(Mail{From: "a@firm.example", Subject: firstPhrase(l.apptSaid), Text: firstPhrase(l.when) + ": 2026-03-20 10:00\n" + firstPhrase(l.where) + ": Berlin\n", Date: mailDate})
			if len(meeting.Calendars) != 1 || meeting.Calendars[0].Date != "2026-03-20" || meeting.Calendars[0].Time != "10:00" || meeting.Calendars[0].Location != "Berlin" {
				t.Errorf("calendar: %+v", meeting)
			}
		})
	}
}

func TestLanguageOf(t *testing.T) {
	for want, text := range map[string]string{
		"en": "Thank you for your order, we will let you know", "de": "Vielen Dank für Ihre Bestellung, wir melden uns", "fr": "Merci pour votre commande, nous vous informons", "es": "Gracias por tu compra, el pedido es para la tienda",
		"it": "Grazie per il tuo ordine, il pacco è stato spedito", "nl": "Bedankt voor je bestelling, het pakket is onderweg", "pt": "Obrigado pela sua compra, o pedido foi enviado", "pl": "Dziękujemy za zamówienie, paczka jest w drodze",
		"sv": "Tack för din beställning, vi har skickat ditt paket", "nb": "Takk for bestillingen, pakken er på vei til deg", "da": "Tak for din ordre, pakken er på vej til dig", "ja": "ご注文ありがとうございます。お客様の商品です", "zh": "感谢您的订购，您的订单已确认", "ko": "고객님, 주문해 주셔서 감사합니다", "tr": "Siparişiniz için teşekkürler, bu bir bilgi", "ru": "Спасибо за заказ, мы для вас", "": "12345",
	} {
		if got := languageOf([]*page{textPage("", text)}); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestTrie(t *testing.T) {
	tr := newTrie()
	tr.add("order, order number, order #, bestell*, 订单, 订单号, n°", entry{orderNo, 1})
	for text, want := range map[string]string{
		"the order number is": "order number", "orders": "", "reorder": "", "order #12": "order #", "order,": "order", "bestellungen hier": "bestellungen", "我的订单号是": "订单号", "订单abc": "订单", "no 5": "no", "nobody": "", "": "",
	} {
		got := ""
		for _, h := range tr.find(nil, text) {
			got += text[h.from:h.to]
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
