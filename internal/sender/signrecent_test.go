package sender

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Deliveries of one message share its signatures for a minute; another message, or a later time, has its own.
func TestSignOnce(t *testing.T) {
	s := testSigner(t)
	sign := func(mail string, at time.Time) string {
		t.Helper()
		fields, err := s.Sign(strings.NewReader(mail), int64(len(mail)), at)
		if err != nil {
			t.Fatal(err)
		}
		got := ownVerdicts(t, signZone(t, s).checker(t), string(fields)+mail)
		if !slices.Equal(got, []string{"pass", "pass"}) {
			t.Errorf("verdicts %v", got)
		}
		return string(fields)
	}
	mail := benchMail(1000)
	first := sign(mail, signTime)
	for _, tt := range []struct {
		name string
		mail string
		at   time.Time
		same bool
	}{
		{"the same", mail, signTime, true},
		{"a little later", mail, signTime.Add(recentTime - time.Second), true},
		{"a minute later", mail, signTime.Add(recentTime), false},
		{"the clock was put back", mail, signTime.Add(-time.Second), false},
		{"another body", mail + "more\r\n", signTime, false},
		{"another subject", strings.Replace(mail, "Subject: ", "Subject: Re: ", 1), signTime, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := sign(tt.mail, tt.at); (got == first) != tt.same {
				t.Errorf("the same signatures: %v, want %v", got == first, tt.same)
			}
		})
	}
}

// What is signed by many at once is signed once, and nobody sees it before it is made.
func TestRecentSignatures(t *testing.T) {
	var r recentSignatures
	var made atomic.Int64
	var all sync.WaitGroup
	for i := range 3 * recentMost {
		all.Go(func() {
			what := signatureOf(nil, fmt.Sprint(i%recentMost), nil)
			got, err := r.of(what, signTime, func() ([]byte, error) {
				made.Add(1)
				return what[:4], nil
			})
			if err != nil || !bytes.Equal(got, what[:4]) {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
	all.Wait()
	if made.Load() != recentMost {
		t.Errorf("signed %d times, want %d", made.Load(), recentMost)
	}
	want := errors.New("no")
	if _, err := r.of([32]byte{1}, signTime, func() ([]byte, error) { return nil, want }); !errors.Is(err, want) {
		t.Errorf("%v, want %v", err, want)
	}
}
