package index_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/corpustest"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/search/meaning"
	"github.com/mailkin/mailkin/internal/service"
)

// A word that is not in a mail does not hide what the others find, and what binds still does.
func TestHybridByMostWords(t *testing.T) {
	k := newService(t, withIndex(t))
	b := k.permanent("robin")
	for i := range 30 {
		k.receive(plainMail("x@y.test", fmt.Sprintf("Report %d", i), "The usual figures for the team."), b.Address)
	}
	k.receive(plainMail("x@y.test", "Hosting", "The invoice for April, 42 00 11, is attached."), b.Address)
	k.receive(plainMail("kim@y.test", "Garden", "The walrus invoice."), b.Address)
	find := func(mode, query string) (subjects []string) {
		t.Helper()
		list, err := k.svc.Search(t.Context(), b.read(), service.InboxQuery{Query: query, Mode: mode,
			Page: service.Page{Limit: 50}})
		k.works(query, err)
		for _, m := range list.Items {
			subjects = append(subjects, m.Subject)
		}
		return subjects
	}
	check := func(when string) {
		t.Helper()
		for _, tt := range []struct{ query, want string }{
			{"hosting invoice march", "Hosting"},
			{"hosting 42 00 12", "Hosting"},
			{"invoice april flurbl", "Hosting"},
			{"hosting march from:x@y.test", "Hosting"},
			{"hosting march from:kim@y.test", ""},
			{`hosting march "invoice for"`, "Hosting"},
			{`hosting march "invoice of"`, ""},
			{"hosting march -april", ""},
			{"flurbl march (walrus OR hosting)", ""},
			{"flurbl march", ""},
			{"the flurbl march may", ""}, // what most mails have is not half of it
		} {
			got := find("hybrid", tt.query)
			if tt.want == "" && len(got) > 0 || tt.want != "" && (len(got) == 0 || got[0] != tt.want) {
				t.Errorf("%s: %q found %v, want %q", when, tt.query, got, tt.want)
			}
			if got := find("keyword", tt.query); len(got) > 0 {
				t.Errorf("%s: %q has the words of %v", when, tt.query, got)
			}
		}
		if got := find("hybrid", "the figures"); len(got) != 30 {
			t.Errorf("%s: with all words enough were found, and %d shown", when, len(got))
		}
	}
	check("waiting")
	k.index()
	check("indexed")
	if got := find("hybrid", "walrus invoice the team report"); len(got) == 0 || got[0] != "Garden" {
		t.Errorf("two rare words of five found %v", got)
	}
}

// TestCorpusHybrid asks for mail with words of which one is wrong, in every mode, as a caller does.
func TestCorpusHybrid(t *testing.T) {
	corpustest.Dir(t)
	encoder, err := meaning.Open()
	if err != nil {
		t.Fatal(err)
	}
	k := newService(t, withIndex(t), func(o *service.Options) { o.Encoder = encoder })
	b := k.permanent("robin")
	mails, queries := someWords(k)
	ids := map[string]mailbox.ID{}
	for _, m := range mails {
		ids[m[0]] = k.receive(plainMail("x@y.test", m[1], m[2]), b.Address)[0].ID
	}
	k.index()
	_, err = k.svc.Search(t.Context(), b.read(), service.InboxQuery{Query: "any", Mode: "semantic"})
	k.works("ask for vectors", err) // without interest in them none are made where so much waits
	k.svc.Index().Wait()
	k.embed(b)
	for half, name := range []string{"development", "held out"} {
		sums, n := map[string]float64{}, 0.0
		for i := half; i < len(queries); i += 2 {
			n++
			for _, mode := range []string{"keyword", "semantic", "hybrid"} {
				list, err := k.svc.Search(t.Context(), b.read(), service.InboxQuery{Query: queries[i][0], Mode: mode,
					Page: service.Page{Limit: 100}})
				k.works(queries[i][0], err)
				at := slices.IndexFunc(list.Items, func(m service.Found) bool { return m.ID == ids[queries[i][1]] })
				if at >= 0 {
					sums[mode] += 1 / float64(at+1)
				}
			}
		}
		t.Logf("a wrong word, %s, %v queries: mean reciprocal rank by words %.3f, by meaning %.3f, by both %.3f",
			name, n, sums["keyword"]/n, sums["semantic"]/n, sums["hybrid"]/n)
	}
}

// someWords reads mails, and queries with the mail that each of them means.
func someWords(k *kit) (mails [][3]string, queries [][2]string) {
	const folder = "../search/meaning/testdata/"
	var set struct{ Mails [][3]string }
	data, err := os.ReadFile(folder + "quality.json")
	k.works("read the mails", err)
	k.works("read the mails", json.Unmarshal(data, &set))
	lines, err := os.ReadFile(folder + "some.txt")
	k.works("read the queries", err)
	for line := range strings.Lines(string(lines)) {
		switch f := strings.Split(strings.TrimSpace(line), " | "); {
		case strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "- "):
			queries = append(queries, [2]string{f[1], strings.TrimPrefix(f[0], "- ")})
		case len(f) == 4:
			set.Mails = append(set.Mails, [3]string(f))
			queries = append(queries, [2]string{f[3], f[0]})
		}
	}
	return set.Mails, queries
}

// embed makes the vectors of all messages of a mailbox.
func (k *kit) embed(b box) {
	k.Helper()
	ctx, cancel := context.WithCancel(k.Context())
	ended := make(chan error, 1)
	go func() { ended <- k.svc.Index().Embed(ctx) }()
	for st := (service.Stats{NoVector: 1}); st.NoVector > 0; time.Sleep(time.Millisecond) {
		var err error
		st, err = k.svc.Stats(k.Context(), b.read(), 0)
		k.works("count the vectors", err)
	}
	cancel()
	k.works("make the vectors", <-ended)
}
