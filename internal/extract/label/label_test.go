package label

import (
	"slices"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// TestOf is about whole mails, and how labels go together.
func TestOf(t *testing.T) {
	for _, tt := range []struct {
		name string
		mail Mail
		want string // labels, parted by spaces
	}{
		{"from a friend", Mail{From: jo, EnvelopeFrom: jo, Subject: "Lunch?", Text: "Tomorrow at noon?"}, "personal"},
		{"nothing is known", Mail{EnvelopeFrom: jo}, "personal"},
		{"answer of a friend", Mail{From: jo, EnvelopeFrom: jo, Subject: "Re: Your order 20931", Text: "Thanks!"},
			"personal"},
		{"invoice by a freelancer", Mail{From: "kim@gmail.com", EnvelopeFrom: "kim@gmail.com",
			Subject: "Invoice for March"}, "personal"},
		{"forwarded newsletter", Mail{From: jo, EnvelopeFrom: jo, Subject: "Fwd: 50 % off",
			Text: "Look at this.\n\n… Unsubscribe"}, "personal"},
		{"mail through Outlook", Mail{From: jo, EnvelopeFrom: jo, Subject: "Re: plan", Header: head("X-MS-Has-Attach: ",
			"X-Auto-Response-Suppress: DR, OOF")}, "personal"},

		{"newsletter", Mail{From: "news@shop.example", EnvelopeFrom: "b-1@mailer.example", Subject: "50 % off",
			Header: head("List-Unsubscribe: <https://x.example/u>", "List-Unsubscribe-Post: List-Unsubscribe=One-Click",
				"Feedback-ID: 1:2:3:x", "Precedence: bulk")}, "newsletter"},
		{"newsletter from no-reply", Mail{From: robot, EnvelopeFrom: robot, Subject: "This week",
			Header: head("List-Unsubscribe: <https://x.example/u>")}, "newsletter"},
		{"discussion list", Mail{From: jo, EnvelopeFrom: "talk-bounces@lists.example", Subject: "Re: [talk] hello",
			Header: head("List-Id: <talk.lists.example>", "List-Post: <mailto:talk@lists.example>", "Precedence: list",
				"In-Reply-To: <1@x>")}, "newsletter"},
		{"headerless newsletter", Mail{From: "hello@shop.example", EnvelopeFrom: "hello@shop.example",
			Subject: "Spring is here", Text: "New things.\n\nUnsubscribe"}, "newsletter"},

		{"GitHub", Mail{From: "notifications@github.example", EnvelopeFrom: "noreply@github.example",
			Subject: "Re: [a/b] Fix it (#1)",
			Header: head("List-ID: a/b <b.a.github.example>", "X-GitHub-Reason: mention", "Precedence: list",
				"In-Reply-To: <1@x>")}, "newsletter notification"},
		{"receipt with a way to unsubscribe", Mail{From: "receipts@shop.example", EnvelopeFrom: "b@mailer.example",
			Subject: "Your receipt #20931",
			Header:  head("List-Unsubscribe: <https://x.example/u>")}, "newsletter notification"},
		{"receipt", Mail{From: "hello@shop.example", EnvelopeFrom: "b@mailer.example", Subject: "Your receipt",
			Text: "Thank you.\n\nUnsubscribe"}, "notification"},
		{"shipping", Mail{From: "shipment-tracking@shop.example", EnvelopeFrom: "b@mailer.example",
			Subject: "Shipped: your parcel"}, "notification"},
		{"cron", Mail{From: "root@server.example", EnvelopeFrom: "root@server.example",
			Subject: "Cron <root@server> backup", Header: head("Auto-Submitted: auto-generated")}, "notification"},
		{"complaint", Mail{From: "fbl@isp.example", EnvelopeFrom: "fbl@isp.example", Subject: "FW: Hello",
			Types: []string{"multipart/report", "message/feedback-report", "message/rfc822"}}, "notification"},
		{"delivered", Mail{From: daemon, Subject: "Successful Mail Delivery Report", Types: []string{"multipart/report",
			"message/delivery-status"}, Header: head("Auto-Submitted: auto-replied")}, "notification"},
		{"verification link", Mail{From: "team@acme.example", EnvelopeFrom: "b@mailer.example",
			Subject: "Confirm your address", Links: true,
			Text: "Click. Unsubscribe", Header: head("Precedence: bulk", "X-MC-User: 1")}, "notification"},

		{"code", Mail{From: "team@acme.example", EnvelopeFrom: "b@mailer.example", Subject: "482913", Code: true},
			"code"},
		{"code from no-reply", Mail{From: robot, EnvelopeFrom: robot, Subject: "Your code", Code: true},
			"code notification"},
		{"code with marks of bulk", Mail{From: robot, EnvelopeFrom: robot, Subject: "Your code", Code: true,
			Text:   "482913\nUnsubscribe",
			Header: head("Precedence: bulk", "List-Unsubscribe: <https://x.example>", "X-Campaign: 1")},
			"code notification"},
		{"code through a list", Mail{From: jo, EnvelopeFrom: jo, Subject: "Our code", Code: true,
			Header: head("List-Id: <a.b>")}, "code newsletter"},

		{"bounce", Mail{From: daemon, Subject: "Undelivered Mail Returned to Sender",
			Types: []string{"multipart/report", "text/plain", "message/delivery-status", "message/rfc822"},
			Header: head("Auto-Submitted: auto-replied", "Precedence: bulk", "Content-Type: multipart/report; "+
				"report-type=delivery-status")}, "bounce"},
		{"bounce in plain text", Mail{From: "Mailer-Daemon@mx.example", Subject: "Mail delivery failed: returning " +
			"message to sender", Types: []string{"text/plain"},
			Header: head("Auto-Submitted: auto-replied", "X-Failed-Recipients: a@b.example")}, "bounce"},
		{"bounce by qmail", Mail{From: "MAILER-DAEMON@mx.example", Subject: "failure notice",
			Text: "Hi. This is the qmail-send program at mx.example."}, "bounce"},
		{"bounce by Exchange", Mail{From: "MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@acme.example",
			Subject: "Undeliverable: Hello", Types: []string{"multipart/report", "message/delivery-status"}}, "bounce"},
		{"delay", Mail{From: daemon, Subject: "Warning: message 1abc delayed 24 hours",
			Header: head("Auto-Submitted: auto-replied")}, "bounce"},
		{"talk about a bounce", Mail{From: jo, EnvelopeFrom: jo, Subject: "Fwd: Undelivered Mail Returned to Sender",
			Text: "What does this mean?", Types: []string{"multipart/mixed", "text/plain", "message/rfc822"}},
			"personal"},

		{"vacation by Exchange", Mail{From: jo, Subject: "Automatic reply: Hello",
			Header: head("Auto-Submitted: auto-generated", "X-Auto-Response-Suppress: All", "In-Reply-To: <1@x>")},
			"autoreply"},
		{"vacation by Sieve", Mail{From: jo, Subject: "Auto: Hello",
			Header: head("Auto-Submitted: auto-replied (vacation)", "Precedence: bulk", "In-Reply-To: <1@x>")},
			"autoreply"},
		{"ticket was opened", Mail{From: "support@acme.example", EnvelopeFrom: "support@acme.example",
			Subject: "[#123] We have your request", Header: head("Auto-Submitted: auto-replied",
				"X-Auto-Response-Suppress: All")}, "autoreply"},
		{"read receipt", Mail{From: jo, Subject: "Read: Hello", Types: []string{"multipart/report", "text/plain",
			"message/disposition-notification"}}, "autoreply"},
		{"talk about vacation", Mail{From: jo, EnvelopeFrom: jo, Subject: "Re: summer",
			Text: "I am on vacation in July.", Header: head("In-Reply-To: <1@x>")}, "personal"},

		{"an id that begins as a word does", Mail{From: jo, EnvelopeFrom: jo,
			Subject: "00dc6acf-b303-7000-8b98-2fae33684000", Text: "What is this?"}, "personal"},
		{"asks how to leave a list", Mail{From: jo, EnvelopeFrom: jo, Subject: "Question",
			Text: "How do I unsubscribe from the weekly list?\nJo"}, "personal"},
		{"asks to leave a list", Mail{From: jo, EnvelopeFrom: jo, Subject: "unsubscribe", Text: "unsubscribe"},
			"personal"},
		{"tracker that says bulk", Mail{From: "jira@acme.example", EnvelopeFrom: robot, Subject: "(ABC-12) Fix it",
			Header: head("Auto-Submitted: auto-generated", "Precedence: bulk")}, "notification"},
		{"monitoring", Mail{From: "prometheus@acme.example", EnvelopeFrom: "prometheus@acme.example",
			Subject: "[FIRING:1] DiskFull"}, "notification"},
		{"appointment by an office", Mail{From: "termine@praxis.example", EnvelopeFrom: "termine@praxis.example",
			Subject: "Terminerinnerung"}, "notification"},
		{"second factor", Mail{From: "security@acme.example", EnvelopeFrom: robot, Subject: "2FA was turned on"},
			"notification"},

		{"invitation", Mail{From: jo, EnvelopeFrom: jo, Subject: "Invitation: lunch", Types: []string{"multipart/mixed",
			"text/plain", "text/calendar", "application/ics"}}, "calendar"},
		{"invitation by a program", Mail{From: "calendar-notification@acme.example", EnvelopeFrom: robot,
			Subject: "Invitation", Types: []string{"multipart/alternative", "text/calendar"}}, "calendar notification"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := Of(tt.mail)
			if strings.Join(got, " ") != tt.want {
				t.Errorf("got %q, want %q; rules %q", got, tt.want, fired(tt.mail))
			}
			for _, l := range got {
				if !slices.Contains(mailbox.AutomaticLabels(), l) {
					t.Errorf("%q is no label", l)
				}
			}
		})
	}
}

// TestLanguages has one row for each language: subjects of a bounce from the null sender, of an automatic reply and of
// an order, and what a text says that nobody wrote.
func TestLanguages(t *testing.T) {
	for _, tt := range []struct{ lang, bounce, automatic, order, unanswered string }{
		{"en", "Undeliverable: Hello", "Automatic reply: Hello", "Your order confirmation",
			"Please do not reply to this email."},
		{"de", "Unzustellbar: Hallo", "Automatische Antwort: Hallo", "Ihre Bestellung bei Laden",
			"Bitte antworten Sie nicht auf diese E-Mail."},
		{"de, notes", "Zustellung fehlgeschlagen", "Abwesenheitsnotiz: Hallo", "Rechnung zu Ihrem Kauf",
			"Diese Nachricht wurde automatisch generiert."},
		{"fr", "Non remis : Bonjour", "Réponse automatique : Bonjour", "Confirmation de votre commande",
			"Merci de ne pas répondre à ce message."},
		{"es", "No se puede entregar: Hola", "Respuesta automática: Hola", "Confirmación de tu pedido",
			"Por favor, no responda a este correo."},
		{"pt", "Não é possível entregar: Olá", "Resposta automática: Olá", "Confirmação do seu pedido",
			"Por favor, não responda a este e-mail."},
		{"ht", "Echèk livrezon: Bonjou", "Repons otomatik: Bonjou", "Konfimasyon kòmand ou",
			"Mesaj otomatik: tanpri pa reponn."},
		{"it", "Non recapitabile: Ciao", "Risposta automatica: Ciao", "Conferma del tuo ordine",
			"Si prega di non rispondere a questa email."},
		{"nl", "Onbestelbaar: Hallo", "Automatisch antwoord: Hallo", "Bevestiging van je bestelling",
			"Dit bericht is automatisch gegenereerd."},
		{"sv", "Gick inte att leverera: Hej", "Automatiskt svar: Hej", "Din beställning",
			"Det går inte att svara på detta meddelande."},
		{"da", "Kan ikke leveres: Hej", "Autosvar: Hej", "Din ordre er modtaget", "Svar ikke på denne mail."},
		{"nb", "Kan ikke leveres: Hei", "Automatisk svar: Hei", "Din bestilling", "Denne meldingen er automatisk " +
			"generert."},
		{"fi", "Ei voitu toimittaa: Hei", "Automaattinen vastaus: Hei", "Tilausvahvistus",
			"Tämä on automaattinen viesti."},
		{"pl", "Nie można dostarczyć: Witaj", "Odpowiedź automatyczna: Witaj", "Twoje zamówienie",
			"Prosimy nie odpowiadać na tę wiadomość."},
		{"cs", "Nelze doručit: Ahoj", "Automatická odpověď: Ahoj", "Potvrzení objednávky",
			"Na tento e-mail neodpovídejte."},
		{"hu", "Kézbesíthetetlen: Szia", "Automatikus válasz: Szia", "Rendelés visszaigazolása",
			"Kérjük, ne válaszoljon erre az üzenetre."},
		{"ro", "Nelivrat: Salut", "Răspuns automat: Salut", "Confirmarea comenzii", "Acesta este un mesaj automat."},
		{"tr", "Teslim edilemedi: Merhaba", "Otomatik yanıt: Merhaba", "Siparişiniz alındı",
			"Lütfen bu e-postayı yanıtlamayın."},
		{"ru", "Не удается доставить: Привет", "Автоматический ответ: Привет", "Ваш заказ принят",
			"Пожалуйста, не отвечайте на это письмо."},
		{"uk", "Не вдалося доставити: Привіт", "Автоматична відповідь: Привіт", "Ваше замовлення прийнято",
			"Будь ласка, не відповідайте на цей лист."},
		{"el", "Αποτυχία παράδοσης", "Αυτόματη απάντηση: Γεια", "Η παραγγελία σας", "Παρακαλούμε μην απαντήσετε σε " +
			"αυτό το μήνυμα."},
		{"ja", "配信不能: こんにちは", "自動返信: こんにちは", "ご注文の確認", "このメールは送信専用です。"},
		{"ko", "배달되지 않음: 안녕하세요", "자동 회신: 안녕하세요", "주문이 완료되었습니다", "본 메일은 발신전용입니다."},
		{"zh-Hans", "未传递: 你好", "自动回复: 你好", "您的订单已发货", "此邮件由系统自动发送，请勿回复。"},
		{"zh-Hant", "無法傳遞: 你好", "自動回覆: 你好", "您的訂單已出貨", "此郵件由系統自動發送，請勿回覆。"},
		{"vi", "Không thể gửi: Chào", "Trả lời tự động: Chào", "Xác nhận đơn hàng",
			"Vui lòng không trả lời email này."},
		{"th", "ส่งไม่สำเร็จ: สวัสดี", "ตอบกลับอัตโนมัติ: สวัสดี", "ยืนยันคำสั่งซื้อ", "กรุณาอย่าตอบกลับอีเมลนี้"},
		{"id", "Tidak terkirim: Halo", "Balasan otomatis: Halo", "Konfirmasi pesanan Anda",
			"Mohon jangan membalas email ini."},
		{"ar", "تعذر تسليم: مرحبا", "رد تلقائي: مرحبا", "تأكيد طلبك", "يرجى عدم الرد على هذه الرسالة."},
		{"he", "לא ניתן למסור: שלום", "תשובה אוטומטית: שלום", "אישור הזמנתך", "אין להשיב להודעה זו."},
		{"hi", "वितरित नहीं हुआ: नमस्ते", "स्वचालित उत्तर: नमस्ते", "आपका ऑर्डर", "कृपया इस ईमेल का उत्तर न दें।"},
	} {
		t.Run(tt.lang, func(t *testing.T) {
			for _, row := range []struct {
				mail Mail
				want string
			}{
				{Mail{From: "x@acme.example", Subject: tt.bounce}, mailbox.LabelBounce},
				{Mail{From: daemon, EnvelopeFrom: daemon, Subject: tt.bounce,
					Header: head("Auto-Submitted: auto-replied")}, mailbox.LabelBounce},
				{Mail{From: jo, EnvelopeFrom: jo, Subject: tt.automatic}, mailbox.LabelAutoreply},
				{Mail{From: jo, EnvelopeFrom: jo, Subject: "Re: " + tt.automatic}, mailbox.LabelPersonal},
				{Mail{From: "shop@acme.example", EnvelopeFrom: "b@acme.example", Subject: tt.order},
					mailbox.LabelNotification},
				{Mail{From: "kim@gmail.com", EnvelopeFrom: "kim@gmail.com", Subject: tt.order}, mailbox.LabelPersonal},
				{Mail{From: jo, EnvelopeFrom: jo, Subject: "Acme", Text: "Acme\n\n" + tt.unanswered},
					mailbox.LabelNotification},
			} {
				if got := Of(row.mail); !slices.Equal(got, []string{row.want}) {
					t.Errorf("%q %q: got %q, want %s", row.mail.Subject, row.mail.Text, got, row.want)
				}
			}
		})
	}
}

func FuzzOf(f *testing.F) {
	f.Add("a@b.example", "", "Automatic reply: x", "Unsubscribe", "auto-replied", "multipart/report")
	f.Add(daemon, "x@y.example", "Undeliverable", "could not be delivered", "", "text/calendar")
	f.Fuzz(func(t *testing.T, from, envelope, subject, text, value, kind string) {
		got := Of(Mail{From: from, EnvelopeFrom: envelope, Subject: subject, Text: text, Types: []string{kind},
			Header: func(string) string { return value }})
		if len(got) == 0 || !slices.IsSorted(got) || len(slices.Compact(slices.Clone(got))) != len(got) {
			t.Errorf("got %q", got)
		}
		if slices.Contains(got, mailbox.LabelPersonal) && len(got) > 1 {
			t.Errorf("personal and more: %q", got)
		}
		if slices.Contains(got, mailbox.LabelBounce) && slices.Contains(got, mailbox.LabelAutoreply) {
			t.Errorf("bounce and automatic reply: %q", got)
		}
	})
}

func BenchmarkOf(b *testing.B) {
	// A personal mail goes through all rules.
	header := func(string) string { return "" }
	text := strings.Repeat("We could meet at the old place by the river, if it does not rain. ", 40)
	for name, m := range map[string]Mail{
		"personal": {From: jo, EnvelopeFrom: jo, Subject: "Lunch on Friday?", Text: text, Header: header,
			Types: []string{"multipart/alternative", "text/plain"}},
		"notification": {From: robot, EnvelopeFrom: "b@mailer.example", Subject: "Your receipt from Acme #2093",
			Text: text, Header: header, Types: []string{"text/html"}},
		"newsletter": {From: "news@acme.example", EnvelopeFrom: "b@mailer.example", Subject: "Spring is here",
			Text: text, Header: head("List-Id: x", "Precedence: bulk"), Types: []string{"text/html"}},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Of(m)
			}
		})
	}
}
