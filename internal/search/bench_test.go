package search

import (
	"strings"
	"testing"
)

func english(size int) string {
	const text = "Hello Kim, thank you for your order no. 482-915. We've shipped it on Monday, 3 March 2025, and the " +
		"carrier's e-mail " +
		"should reach you soon. If anything is wrong with the parcel, please write to support@shop.example.com " +
		"or visit " +
		"https://www.example.com/help/returns. The total was $1,234.56 including tax and delivery to your address.\n"
	return strings.Repeat(text, size/len(text)+1)[:size]
}

func BenchmarkTokenize(b *testing.B) {
	for _, tt := range []struct{ name, text string }{
		{"english 4 KB", english(4 << 10)},
		{"english 64 KB", english(64 << 10)},
		{"german 4 KB", strings.Repeat("Schöne Grüße aus München, die Straße ist für größere Fahrzeuge gesperrt. ",
			60)[:4096]},
		{"russian 4 KB", strings.Repeat("Здравствуйте, ваш заказ отправлен и скоро будет доставлен. ", 40)[:4096]},
		{"japanese 4 KB", strings.Repeat("ご注文ありがとうございます。商品は明日東京に届きます。", 60)[:4095]},
		{"thai 4 KB", strings.Repeat("ขอบคุณสำหรับการสั่งซื้อของคุณที่ร้านของเรา ", 40)[:4095]},
		{"hindi 4 KB", strings.Repeat("आपके ऑर्डर के लिए धन्यवाद, यह कल भेजा जाएगा। ", 50)[:4095]},
	} {
		b.Run(tt.name, func(b *testing.B) {
			var dst []Token
			b.ReportAllocs()
			b.SetBytes(int64(len(tt.text)))
			for b.Loop() {
				dst, _ = Tokenize(dst[:0], Body, tt.text, 0)
			}
			b.ReportMetric(float64(len(dst)), "tokens")
		})
	}
}

func BenchmarkParse(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Parse(`from:kim@example.com "order confirmed" (invoice OR receipt) -draft label:code after:7d e-mail`, noon)
	}
}

func BenchmarkMatch(b *testing.B) {
	d := &Doc{Tokens: tokensOf(english(4 << 10))}
	for _, query := range []string{"parcel ", "order parcel absent ", `"reach you soon"`,
		`from:kim "the carrier's e-mail" (parcel OR absent) -draft inv`} {
		b.Run(query, func(b *testing.B) {
			m := NewMatcher(Parse(query, noon))
			b.ReportAllocs()
			for b.Loop() {
				m.Match(d)
			}
		})
	}
}

func BenchmarkHighlight(b *testing.B) {
	q := Parse("parcel returns ", noon)
	for _, tt := range []struct {
		name string
		size int
	}{{"4 KB", 4 << 10}, {"1 MB", 1 << 20}} {
		text := english(tt.size)
		b.Run(tt.name, func(b *testing.B) {
			b.ReportAllocs()
			l := NewHighlighter(q)
			for b.Loop() {
				l.Highlight(Body, text, 3)
			}
		})
	}
}
