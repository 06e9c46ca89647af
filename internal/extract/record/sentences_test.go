package record

import (
	"slices"
	"strings"
	"testing"
)

// TestOrdersInSentences has orders that a single sentence tells of, in many languages: the number, the sum and where
// both are shown, and the day where one is said. Four are not found yet, and of four more the day is not.
func TestOrdersInSentences(t *testing.T) {
	misses, undated := 0, 0
	for _, tt := range []struct{ subject, text, id, total string }{
		{"Order confirmation", "Hi Sam, thanks for order 4482019, placed on 13 March 2026: the total of $42.50 was charged to your card.",
			"4482019", "$42.50"},
		{"Your order", "We received your order #A-9912 on March 13, 2026 and will charge 42.50 EUR in total.",
			"A-9912", "42.50"},
		{"Ihre Bestellung", "Vielen Dank für Ihre Bestellung 4482019 vom 13.03.2026 über insgesamt 49,90 €.",
			"4482019", "49,90"},
		{"Bestellbestätigung", "Ihre Bestellung mit der Nummer 4482019 haben wir erhalten. Der Gesamtbetrag von 49,90 € wird abgebucht.",
			"4482019", "49,90"},
		{"Votre commande", "Votre commande n° 4482019 du 13 mars 2026 d'un montant total de 45,90 € est confirmée.",
			"4482019", "45,90"},
		{"Tu pedido", "Tu pedido 4482019 del 13 de marzo de 2026 por un total de 32,10 € está confirmado.",
			"4482019", "32,10"},
		{"Ordine", "Il tuo ordine 4482019 del 13 marzo 2026 per un totale di 22,00 € è confermato.",
			"4482019", "22,00"},
		{"Pedido", "Seu pedido 4482019, feito em 13/03/2026 no valor total de R$ 89,90, foi aprovado.",
			"4482019", "89,90"},
		{"Bestelling", "Je bestelling 4482019 van 13 maart 2026 met een totaal van € 49,90 is bevestigd.",
			"4482019", "49,90"},
		{"Order", "Din order 4482019 den 13 mars 2026 på totalt 499 kr är bekräftad.", "4482019", "499"},
		{"Ordre", "Din ordre 4482019 af 13. marts 2026 på i alt 499 kr. er bekræftet.", "4482019", "499"},
		{"Ordre", "Bestillingen din 4482019 fra 13. mars 2026 på totalt 499 kr er bekreftet.", "4482019", "499"},
		{"Tilaus", "Tilauksesi 4482019, yhteensä 49,90 €, on vahvistettu.", "4482019", "49,90"},
		{"Zamówienie", "Twoje zamówienie nr 4482019 z dnia 13 marca 2026 na łączną kwotę 120,00 zł zostało przyjęte.",
			"4482019", "120,00"},
		{"Objednávka", "Vaše objednávka č. 4482019 ze dne 13. 3. 2026 v celkové výši 499 Kč byla přijata.",
			"4482019", "499"},
		{"Rendelés", "A 4482019 számú rendelését 2026. március 13-án megkaptuk, a végösszeg 12 990 Ft.",
			"4482019", "12 990"},
		{"Comanda", "Comanda dvs. nr. 4482019 din 13 martie 2026, în valoare totală de 120 lei, a fost confirmată.",
			"4482019", "120"},
		{"Заказ", "Ваш заказ № 4482019 от 13 марта 2026 г. на сумму 1 290 руб. подтверждён.", "4482019", "1 290"},
		{"Замовлення", "Ваше замовлення № 4482019 від 13 березня 2026 на суму 499 грн прийнято.", "4482019", "499"},
		{"Sipariş", "13 Mart 2026 tarihli 4482019 numaralı siparişiniz onaylandı, toplam tutar 299,90 TL.",
			"4482019", "299,90"},
		{"Παραγγελία", "Η παραγγελία σας 4482019 της 13ης Μαρτίου 2026, συνολικού ποσού 49,90 €, επιβεβαιώθηκε.",
			"4482019", "49,90"},
		{"ご注文", "ご注文番号4482019（2026年3月13日）、合計4,980円を承りました。", "4482019", "4,980"},
		{"订单", "您于2026年3月13日提交的订单4482019已确认，总金额120.00元。", "4482019", "120.00"},
		{"주문", "2026년 3월 13일 주문번호 4482019, 총 49,900원 주문이 확인되었습니다.", "4482019", "49,900"},
		{"Đơn hàng", "Đơn hàng 4482019 ngày 13/03/2026 với tổng cộng 490.000 đ đã được xác nhận.",
			"4482019", "490.000"},
		{"Pesanan", "Pesanan 4482019 tanggal 13 Maret 2026 dengan total Rp120.000 telah dikonfirmasi.",
			"4482019", "120.000"},
		{"طلبك", "تم تأكيد طلبك رقم 4482019 بتاريخ 13 مارس 2026 بإجمالي 120 ريال.", "4482019", "120"},
		{"הזמנה", "הזמנה מספר 4482019 מיום 13.3.2026 בסכום כולל של 120 ש\"ח אושרה.", "4482019", "120"},
		{"คำสั่งซื้อ", "คำสั่งซื้อหมายเลข 4482019 ยอดรวม 490 บาท ได้รับการยืนยันแล้ว", "4482019", "490"},
		{"Objednávka", "Vaša objednávka č. 4482019 v celkovej sume 49,90 € bola prijatá.", "4482019", "49,90"},
		{"Narudžba", "Vaša narudžba br. 4482019 u ukupnom iznosu od 49,90 € je potvrđena.", "4482019", "49,90"},
		{"Naročilo", "Vaše naročilo št. 4482019 v skupnem znesku 49,90 € je potrjeno.", "4482019", "49,90"},
		{"Поръчка", "Вашата поръчка № 4482019 на обща стойност 49,90 лв. е потвърдена.", "4482019", "49,90"},
		{"Comanda", "La vostra comanda 4482019 per un total de 49,90 € s'ha confirmat.", "4482019", "49,90"},
		{"Tellimus", "Teie tellimus nr 4482019 summas 49,90 € on kinnitatud.", "4482019", "49,90"},
		{"Pasūtījums", "Jūsu pasūtījums Nr. 4482019 par kopējo summu 49,90 € ir apstiprināts.", "4482019", "49,90"},
		{"Užsakymas", "Jūsų užsakymas Nr. 4482019, bendra suma 49,90 €, patvirtintas.", "4482019", "49,90"},
	} {
		found := Find(Mail{Subject: tt.subject, Text: tt.text, Date: mailDate, From: "shop@toyland.example"})
		found.Locate(tt.subject, tt.text, mailDate)
		if strings.Contains(tt.text, "2026") && !slices.ContainsFunc(found.Orders, func(o Order) bool {
			return o.Date == "2026-03-13"
		}) {
			undated++
			t.Logf("without its day: %s", tt.text)
		}
		shown := map[string]string{}
		for _, o := range found.Orders {
			for _, s := range o.Spans {
				shown[s.Field] = s.Text
			}
		}
		if shown["order_id"] != tt.id || !strings.Contains(shown["total"], tt.total) {
			misses++
			t.Logf("%s: %v", tt.text, shown)
		}
	}
	const known, knownDays = 4, 4
	if undated > knownDays {
		t.Errorf("of %d orders the day is not found", undated)
	}
	if misses > known {
		t.Errorf("%d are not found", misses)
	}
}

// TestDaysInSentences has orders whose sentence names a day, which is that of the order only where it is not ahead.
func TestDaysInSentences(t *testing.T) {
	for _, tt := range []struct{ name, subject, text, day string }{
		{"before the number", "Your order", "On March 12, 2026 you placed order 4482019 with us. The total is $42.50.",
			"2026-03-12"},
		{"after it", "Bestelling", "Je bestelling 4482019 van 12 maart 2026 met een totaal van € 49,90 is bevestigd.",
			"2026-03-12"},
		{"ahead", "Order confirmation", "Your order 4482019 for 20 March 2026 over a total of $42.50 is confirmed.", ""},
		{"long ago", "Order confirmation", "Your order 4482019 (member since 3 January 2020), total $42.50, is confirmed.",
			""},
		{"two days", "Pedido", "Tu pedido 4482019 del 12 de marzo de 2026, entre el 10 de marzo de 2026, total 32,10 €.", ""},
		{"a parcel", "Order confirmation", "Your order 4482019 was delivered on 13 March 2026. Total $42.50.", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			found := Find(Mail{Subject: tt.subject, Text: tt.text, Date: mailDate, From: "shop@toyland.example"})
			got := ""
			for _, o := range found.Orders {
				got = o.Date
			}
			if len(found.Orders) == 0 || got != tt.day {
				t.Errorf("got %q of %+v, want %q", got, found.Orders, tt.day)
			}
		})
	}
}
