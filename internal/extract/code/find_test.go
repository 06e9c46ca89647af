package code

import "testing"

func TestBest(t *testing.T) {
	for set, mails := range everySample(t) {
		for _, s := range mails {
			t.Run(set+"/"+s.name, func(t *testing.T) {
				got, all := Find(s.mail)
				if got != s.want {
					t.Errorf("got %q, want %q; considered %+v", got, s.want, all)
				}
			})
		}
	}
}
