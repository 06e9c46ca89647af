package service_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// otherwise are sets of which Mailkin makes something else than an IMAP server, on purpose.
var otherwise = map[string]string{
	"thread.mbox":  "references that go in a circle: all of them are one conversation",
	"thread2.mbox": "the same message twice is stored once (API 5)",
	"thread4.mbox": "a subject alone joins nothing (API 5)",
}

// The trees of a public set of threading tests, as groups: who is in one conversation with whom.
func TestThreadingSet(t *testing.T) {
	root := os.Getenv("MAILKIN_CORPORA")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared", "corpora")
	}
	root = filepath.Join(root, "threading", "imaptest")
	data, err := os.ReadFile(filepath.Join(root, "index.json"))
	if err != nil {
		t.Skip("there is no set of threads to hold against: set MAILKIN_CORPORA")
	}
	var index struct {
		Files map[string]struct {
			Expect *struct {
				Commands, Thread []string
			}
		}
	}
	if err := json.Unmarshal(data, &index); err != nil {
		t.Fatal(err)
	}
	held, all := 0, 0
	for name, f := range index.Files {
		if f.Expect == nil || f.Expect.Commands[0] != "references" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			mbox, err := os.ReadFile(filepath.Join(root, "files", name))
			if err != nil {
				t.Fatal(err)
			}
			if why := otherwise[name]; why != "" {
				t.Skip(why)
			}
			all++
			want := groups(f.Expect.Thread[0])
			got := conversations(t, mails(string(mbox))[:count(want)]) // the rest comes later in its script
			if !slices.Equal(got, want) {
				t.Errorf("conversations %v, want %v", got, want)
				return
			}
			held++
		})
	}
	t.Logf("threads: %d of %d sets hold", held, all)
}

// mails splits an mbox.
func mails(mbox string) (list []string) {
	for _, m := range strings.Split("\n"+mbox, "\nFrom ")[1:] {
		_, m, _ = strings.Cut(m, "\n")
		list = append(list, strings.ReplaceAll(m, "\n", "\r\n"))
	}
	return list
}

// conversations delivers mails and returns the numbers of those that are together, as "1 2".
func conversations(t *testing.T, raw []string) (list []string) {
	k := newService(t)
	own := k.permanent("own")
	number := map[mailbox.ID]int{}
	for i, r := range raw {
		number[k.receive(r, own.Address)[0].ID] = i + 1
	}
	members := map[mailbox.ID][]int{}
	for _, m := range k.inbox(own.read(), service.InboxQuery{}).Items {
		members[m.Thread] = append(members[m.Thread], number[m.ID])
	}
	for _, m := range members {
		list = append(list, numbers(m))
	}
	slices.Sort(list)
	return list
}

// groups reads an answer to THREAD: the numbers inside each outermost parenthesis.
func groups(answer string) (list []string) {
	depth, start := 0, 0
	for i, c := range answer {
		switch c {
		case '(':
			if depth++; depth == 1 {
				start = i
			}
		case ')':
			if depth--; depth == 0 {
				var m []int
				for _, word := range strings.FieldsFunc(answer[start:i], func(r rune) bool {
					return r < '0' ||
						r > '9'
				}) {
					n, _ := strconv.Atoi(word)
					m = append(m, n)
				}
				list = append(list, numbers(m))
			}
		}
	}
	slices.Sort(list)
	return list
}

// count is how many messages there are in groups.
func count(groups []string) int { return len(strings.Fields(strings.Join(groups, " "))) }

func numbers(m []int) string {
	slices.Sort(m)
	words := make([]string, len(m))
	for i, n := range m {
		words[i] = strconv.Itoa(n)
	}
	return strings.Join(words, " ")
}
