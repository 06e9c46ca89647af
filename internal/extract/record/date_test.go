package record

import (
	"testing"
	"time"
)

func TestDates(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"2026-03-14", "2026-03-14"}, {"2026/3/14", "2026-03-14"}, {"2026. 3. 14.", "2026-03-14"},
		{"2026.03.14", "2026-03-14"},
		{"14.03.2026", "2026-03-14"}, {"Datum:14.03.2026", "2026-03-14"}, {"14.3.26", "2026-03-14"},
		{"14-03-2026", "2026-03-14"}, {"14/03/2026", "2026-03-14"}, {"03/14/2026", "2026-03-14"},
		{"3/14/26", "2026-03-14"},
		{"14. 3. 2026", "2026-03-14"},
		{"March 14, 2026", "2026-03-14"}, {"Mar 14 2026", "2026-03-14"}, {"Sat, Mar. 14th, 2026", "2026-03-14"},
		{"14 March 2026", "2026-03-14"}, {"14th of March 2026", "2026-03-14"}, {"14-Mar-26", "2026-03-14"},
		{"14MAR2026", "2026-03-14"}, {"14 Mar '26", "2026-03-14"},
		{"14. März 2026", "2026-03-14"}, {"Samstag, 14. Maerz 2026", "2026-03-14"}, {"14. Mrz. 2026", "2026-03-14"},
		{"14. Jänner 2026", "2026-01-14"},
		{"14 mars 2026", "2026-03-14"}, {"sam. 14 mars 2026", "2026-03-14"}, {"mar. 17 mars 2026", "2026-03-17"},
		{"1er avril 2026", "2026-04-01"}, {"14 févr. 2026", "2026-02-14"}, {"14 août 2026", "2026-08-14"},
		{"14 de marzo de 2026", "2026-03-14"}, {"14 de março de 2026", "2026-03-14"}, {"14 marzo 2026", "2026-03-14"},
		{"14 maart 2026", "2026-03-14"}, {"14 de març de 2026", "2026-03-14"}, {"14 martie 2026", "2026-03-14"},
		{"14 marca 2026", "2026-03-14"}, {"14 listopada 2026", "2026-11-14"}, {"14. března 2026", "2026-03-14"},
		{"14 марта 2026 г.", "2026-03-14"}, {"14 березня 2026", "2026-03-14"}, {"14 март 2026", "2026-03-14"},
		{"den 14 mars 2026", "2026-03-14"}, {"14. marts 2026", "2026-03-14"}, {"14. maaliskuuta 2026", "2026-03-14"},
		{"2026. március 14.", "2026-03-14"}, {"2026 m. kovo 14 d.", "2026-03-14"}, {"14 Μαρτίου 2026", "2026-03-14"},
		{"14 Mart 2026", "2026-03-14"}, {"14 Maret 2026", "2026-03-14"}, {"14 tháng 3, 2026", "2026-03-14"},
		{"14 tháng 3 năm 2026", "2026-03-14"}, {"14 มีนาคม 2569", "2026-03-14"}, {"14 مارس 2026", "2026-03-14"},
		{"14 במרץ 2026", "2026-03-14"}, {"14 मार्च 2026", "2026-03-14"},
		{"2026年3月14日", "2026-03-14"}, {"２０２６年３月１４日", "2026-03-14"}, {"令和8年3月14日", "2026-03-14"},
		{"2026년 3월 14일", "2026-03-14"}, {"3月14日", "2026-03-14"}, {"3월 14일", "2026-03-14"},
		{"March 18", "2026-03-18"}, {"18 December", "2025-12-18"}, {"on 5 January at noon", "2026-01-05"},

		{"203.0.113.25", ""}, {"1.2.3", ""}, {"31.02.2026", ""}, {"4 out of 5", ""}, {"10:30", ""}, {"a set of 2", ""},
		{"version 14.3", ""}, {"May 25% off", ""}, {"+49 30 1234567", ""}, {"1234-5678-9012", ""},
	} {
		t.Run(tt.text, func(t *testing.T) {
			s := &scene{mail: &Mail{Date: mailDate}, lang: "en"}
			got := ""
			for _, d := range dates(fold(tt.text)) {
				if !d.loose {
					got = s.read(d, false, false).date()
					break
				}
			}
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestDateOrder(t *testing.T) {
	const both = "04/05/2026"
	for _, tt := range []struct {
		name string
		mail Mail
		want string
	}{
		{"American", Mail{From: "a@shop.com", Text: "Thank you for your order, the total is $5. " + both},
			"2026-04-05"},
		{"British sender", Mail{From: "a@shop.co.uk", Text: "Thank you for your order. " + both}, "2026-05-04"},
		{"British money", Mail{From: "a@shop.com", Text: "Thank you for your order, the total is £5. " + both},
			"2026-05-04"},
		{"another date settles it", Mail{From: "a@shop.com", Text: "Until 25/12/2026. Thank you for your order.\n" +
			both}, "2026-05-04"},
		{"another date, American", Mail{From: "a@shop.co.uk", Text: "Until 12/25/2026. Thank you for your order.\n" +
			both}, "2026-04-05"},
		{"Spanish", Mail{From: "a@shop.com", Text: "Gracias por tu compra. Fecha " + both}, "2026-05-04"},
		{"close to the mail", Mail{From: "a@shop.com", Date: time.Date(2026, 5, 4, 0, 0, 0, 0, time.UTC),
			Text: "Thank you for your order, the total is $5. " + both}, "2026-05-04"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newScene(&tt.mail, textPage("", tt.mail.Text))
			if got := s.read(dates(both)[0], true, false).date(); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestClocks(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"10:30", "10:30"}, {"Uhrzeit:14:30", "14:30"}, {"at 3pm", "15:00"}, {"3:30 PM", "15:30"},
		{"12:15 a.m.", "00:15"}, {"12 pm", "12:00"}, {"7:00 p.m.", "19:00"}, {"14:30 Uhr", "14:30"},
		{"10.30 Uhr", "10:30"}, {"14 Uhr", "14:00"}, {"kl. 10.30", "10:30"},
		{"15h30", "15:30"}, {"15 h 30", "15:30"}, {"à 15h", "15:00"}, {"午後7時30分", "19:30"}, {"下午2点半", "14:30"},
		{"오후 3시", "15:00"}, {"10時", "10:00"}, {"23:59:59", "23:59"}, {"24:00", "00:00"},
		{"25:00", ""}, {"10.30", ""}, {"5 pens", ""}, {"14.03.2026", ""},
	} {
		t.Run(tt.text, func(t *testing.T) {
			got := ""
			for _, c := range clocks(fold(tt.text)) {
				if !c.bare {
					got = moment{timed: true, hour: c.hour, minute: c.minute}.clock()
					break
				}
			}
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestReadISO(t *testing.T) {
	for _, tt := range []struct{ text, want, zone string }{
		{"2026-03-14", "2026-03-14", ""}, {"20260314", "2026-03-14", ""}, {"2026-03-14T10:30:00+01:00",
			"2026-03-14T10:30:00+01:00", "+01:00"}, {"2026-03-14T10:30:00.000Z", "2026-03-14T10:30:00Z", "UTC"},
		{"2026-03-14T10:30:00+0:00", "2026-03-14T10:30:00Z", "UTC"},
		{"2026-03-14T10:30-0530", "2026-03-14T10:30:00-05:30", "-05:30"}, {"2026-03-14 10:30", "2026-03-14T10:30:00",
			""}, {"20260314T103000", "2026-03-14T10:30:00", ""}, {"20260314T1030", "2026-03-14T10:30:00", ""},
		{"2026-03-14T", "2026-03-14", ""}, {"2026-13-14", "", ""}, {"2026-02-30", "", ""}, {"tomorrow", "", ""},
		{"", "", ""}, {"20260314123", "", ""},
	} {
		m, ok := readISO(tt.text)
		if got := m.iso(); ok != (tt.want != "") || ok && (got != tt.want || m.zone != tt.zone) {
			t.Errorf("%q: got %q in %q, %v", tt.text, got, m.zone, ok)
		}
	}
}
