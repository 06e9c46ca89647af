package code

import "testing"

func TestBest(t *testing.T) {
	for _, set := range []struct {
		name  string
		mails []sample
	}{
		{"sms", smsMails}, {"english", englishMails}, {"languages", languageMails}, {"html", htmlMails},
		{"terse", terseMails}, {"without", mailsWithout}, {"promo", promoMails},
	} {
		for _, s := range set.mails {
			t.Run(set.name+"/"+s.name, func(t *testing.T) {
				got, all := Find(s.mail)
				if got != s.want {
					t.Errorf("got %q, want %q; considered %+v", got, s.want, all)
				}
			})
		}
	}
}
