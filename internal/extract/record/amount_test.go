package record

import (
	"fmt"
	"testing"
)

func TestAmounts(t *testing.T) {
	for _, tt := range []struct{ text, lang, tld, want string }{
		{"$1,234.56", "en", "com", "1234.56 USD"},
		{"US$ 20", "en", "com", "20 USD"},
		{"$999,999,999,999.99", "en", "com", "999999999999.99 USD"},
		{"$1,999,999,999,999.99", "en", "com", ""},
		{"$99999999999999999999999999999.99", "en", "com", ""},
		{"99999999999999999999999999999.99 USD", "en", "com", ""},
		{"$20.00 USD", "en", "ca", "20.00 USD"},
		{"$20.00", "en", "ca", "20.00 CAD"},
		{"CA$20.00", "en", "com", "20.00 CAD"},
		{"A$5", "en", "com", "5 AUD"},
		{"$1.299", "es", "cl", "1299 CLP"},
		{"$ 1,299.00", "es", "mx", "1299.00 MXN"},
		{"£31.95", "en", "uk", "31.95 GBP"},
		{"1.234,56 €", "de", "de", "1234.56 EUR"},
		{"€ 1.234,-", "nl", "nl", "1234 EUR"},
		{"EUR 12,5", "de", "de", "12.5 EUR"},
		{"12 euros", "fr", "fr", "12 EUR"},
		{"1 234,56 €", "fr", "fr", "1234.56 EUR"},
		{"1\u202f234,56\u00a0€", "fr", "fr", "1234.56 EUR"},
		{"CHF 1’249.50", "de", "ch", "1249.50 CHF"},
		{"Fr. 20.-", "de", "ch", "20 CHF"},
		{"1 234,56 zł", "pl", "pl", "1234.56 PLN"},
		{"R$ 10,00", "pt", "br", "10.00 BRL"},
		{"R$1.234,00", "pt", "br", "1234.00 BRL"},
		{"kr 99,-", "nb", "no", "99 NOK"},
		{"1 299 kr", "sv", "se", "1299 SEK"},
		{"1.299,00 kr.", "da", "dk", "1299.00 DKK"},
		{"199 kr", "da", "com", "199 DKK"},
		{"¥1,234", "ja", "jp", "1234 JPY"},
		{"1,234円", "ja", "jp", "1234 JPY"},
		{"￥１，２３４", "ja", "jp", "1234 JPY"},
		{"5,980(円)", "ja", "jp", "5980 JPY"},
		{"¥99.00", "zh", "cn", "99.00 CNY"},
		{"99.00元", "zh", "cn", "99.00 CNY"},
		{"NT$1,280", "zh", "tw", "1280 TWD"},
		{"HK$88.0", "zh", "hk", "88.0 HKD"},
		{"59,900원", "ko", "kr", "59900 KRW"},
		{"₩59,900", "ko", "kr", "59900 KRW"},
		{"1.299,90 TL", "tr", "tr", "1299.90 TRY"},
		{"₺1.299,90", "tr", "tr", "1299.90 TRY"},
		{"2 499 ₽", "ru", "ru", "2499 RUB"},
		{"2 499,00 руб.", "ru", "ru", "2499.00 RUB"},
		{"1 299 грн", "uk", "ua", "1299 UAH"},
		{"₹1,23,456.00", "en", "in", "123456.00 INR"},
		{"Rs. 500", "en", "in", "500 INR"},
		{"2 499 Kč", "cs", "cz", "2499 CZK"},
		{"24 990 Ft", "hu", "hu", "24990 HUF"},
		{"1.249,99 lei", "ro", "ro", "1249.99 RON"},
		{"1.250.000 ₫", "vi", "vn", "1250000 VND"},
		{"Rp 249.000", "id", "id", "249000 IDR"},
		{"฿1,290.00", "th", "th", "1290.00 THB"},
		{"249.00 AED", "ar", "ae", "249.00 AED"},
		{"₪ 59.90", "he", "il", "59.90 ILS"},
		{"R 199.00", "en", "za", "199.00 ZAR"},
		{"S/ 20.00", "es", "pe", "20.00 PEN"},
		{"٢٤٩٫٥٠ ر.س", "ar", "sa", "249.50 SAR"},
		{"-$5.00", "en", "com", "-5.00 USD"},
		{"$-5.00", "en", "com", "-5.00 USD"},
		{"($5.00)", "en", "com", "-5.00 USD"},
		{"19.99", "en", "com", "19.99 -"},
		{"0.500 KWD", "en", "com", "0.500 KWD"},
		{"Total:$45", "en", "com", "45 USD"},

		{"14.03.2026", "de", "de", ""},
		{"10:30", "en", "com", ""},
		{"203.0.113.25", "en", "com", ""},
		{"1Z999AA1", "en", "com", ""},
		{"50%", "en", "com", ""},
		{"3/14", "en", "com", ""},
		{"buy 5 all", "en", "com", "5 -"},
		{"#1042", "en", "com", ""},
		{"1-800-806", "en", "com", ""},
	} {
		t.Run(tt.text, func(t *testing.T) {
			l := newLine(tt.text)
			s := &scene{lang: tt.lang, tld: tt.tld}
			got := ""
			for _, a := range l.amounts() {
				got = fmt.Sprintf("%s %s", a.value, dash(s.currencyOf(a.currency)))
				break
			}
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestDecimal(t *testing.T) {
	for _, tt := range []struct {
		in   Decimal
		f    float64
		ok   bool
		unit int64
	}{{"1234.50", 1234.5, true, 12345000}, {"0", 0, true, 0}, {"-5.25", -5.25, true, -52500}, {"", 0, false, 0}} {
		f, ok := tt.in.Float()
		n, _ := tt.in.units()
		if f != tt.f || ok != tt.ok || n != tt.unit || tt.in.Known() != tt.ok {
			t.Errorf("%q: %v %v %d", tt.in, f, ok, n)
		}
	}
	for _, tt := range []struct {
		n      int64
		places int
		want   Decimal
	}{{200000, 2, "20.00"}, {52500, 2, "5.25"}, {-52500, 2, "-5.25"}, {12345, 2, "1.2345"}, {50000, 0, "5"}} {
		if got := decimalOf(tt.n, tt.places); got != tt.want {
			t.Errorf("%d: got %q, want %q", tt.n, got, tt.want)
		}
	}
}
