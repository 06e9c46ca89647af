package test

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// storedDraft is a draft as the interface shows it.
type storedDraft struct {
	ID          string `json:"id"`
	Version     int64  `json:"version"`
	Status      string `json:"status"`
	Attachments []struct {
		N    int   `json:"n"`
		Size int64 `json:"size_bytes"`
	} `json:"attachments"`
}

// keep makes a stored draft.
func (b box) keep(t testing.TB, d draft) (out storedDraft) {
	t.Helper()
	q := request{method: "POST", path: "/v1/drafts", key: b.key, body: d.String()}
	b.srv.do(t, q, http.StatusCreated, &out)
	return out
}

func sendOf(b box, id string) request {
	return request{method: "POST", path: "/v1/drafts/" + id + "/send", key: b.key, body: "{}"}
}

// withFile is a draft with an attachment that is kept in a blob.
func withFile(d draft) draft {
	content := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("a file of some size\n", 20_000)))
	return d.with("attachments", []any{map[string]any{"filename": "a.txt", "content": content}})
}

// A crash in the middle of sending drafts: each is sent again until that is answered, by two at the same time, and is
// sent once with the same answer to all.
func TestCrashDrafts(t *testing.T) {
	t.Parallel()
	srv := start(t, unbounded...)
	b := srv.mailbox(t, "robin")
	const count, kills = 30, 3
	var ids []string
	for n := range count {
		d := note(fmt.Sprint("draft ", n), "ann@example.com")
		if n%3 == 0 {
			d = withFile(d)
		}
		ids = append(ids, b.keep(t, d).ID)
	}
	answers := [2][]string{make([]string, count), make([]string, count)}
	srv.repeatThrough(t, kills, 100*time.Millisecond, len(answers), count,
		func(_, n int) request { return sendOf(b, ids[n]) },
		func(i, n int, a answer) { answers[i][n] = string(a.body) })
	times := map[string]int{}
	for _, e := range b.inbox(t) {
		times[e.Subject]++
	}
	for n := range count {
		if subject := fmt.Sprint("draft ", n); times[subject] != 1 || answers[0][n] != answers[1][n] {
			t.Errorf("%s is there %d times; answered %s and %s", subject, times[subject], answers[0][n], answers[1][n])
		}
	}
}

// Three nodes send the same draft at the same moment, and edit the same version of another.
func TestDraftsOfNodes(t *testing.T) {
	t.Parallel()
	d := deploy(t, 3, unbounded...)
	b := d.nodes[0].mailbox(t, "robin")
	for round := range 10 {
		subject := fmt.Sprint("round ", round)
		made := b.keep(t, withFile(note(subject, "ann@example.com")))
		edited := b.keep(t, note("edited", "ann@example.com"))
		var asking sync.WaitGroup
		answers, statuses := make([]string, len(d.nodes)), make([]int, len(d.nodes))
		for i, node := range d.nodes {
			asking.Go(func() {
				if a, err := node.try(sendOf(b, made.ID)); err == nil && a.status == http.StatusOK {
					answers[i] = string(a.body)
				}
			})
			asking.Go(func() {
				a, err := node.try(request{method: "PATCH", path: "/v1/drafts/" + edited.ID, key: b.key,
					body: fmt.Sprintf(`{"version":1,"subject":"by %d"}`, i)})
				if err == nil {
					statuses[i] = a.status
				}
			})
		}
		asking.Wait()
		changed := 0
		for i := range d.nodes {
			if answers[i] == "" || answers[i] != answers[0] {
				t.Errorf("%s: node %d answered %q, the first %q", subject, i, answers[i], answers[0])
			}
			switch statuses[i] {
			case http.StatusOK:
				changed++
			case http.StatusConflict:
			default:
				t.Errorf("an edit was answered with %d", statuses[i])
			}
		}
		if changed != 1 {
			t.Errorf("%d of three edits of one version were taken", changed)
		}
	}
	if n := len(b.inbox(t)); n != 10 {
		t.Errorf("%d messages were sent, want 10", n)
	}
}

// Drafts and their attachments are in a backup, and can be sent from what is restored.
func TestBackupDrafts(t *testing.T) {
	t.Parallel()
	embedded(t)
	srv := start(t)
	b := srv.mailbox(t, "robin")
	made := b.keep(t, withFile(note("restored", "ann@example.com")))
	restored := restoredFrom(t, srv.backUp(t))
	there := box{restored, b.address, b.key, "/v1"}
	var s sent
	restored.do(t, sendOf(there, made.ID), http.StatusOK, &s)
	if raw := string(there.raw(t, s.ID)); !strings.Contains(raw, "a.txt") || len(raw) < 400_000 {
		t.Errorf("sent %d bytes", len(raw))
	}
}
