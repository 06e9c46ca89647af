package mcpserver_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mailkin/mailkin/internal/mcpserver"
)

// A mailbox is made at the first call that needs one, once, and kept.
func TestMailboxIsMade(t *testing.T) {
	k := newKit(t)
	keep := &memory{account: mcpserver.Account{URL: k.url}}
	s := k.overPipes(keep, nil)
	s.names()
	if len(keep.saved) != 0 {
		t.Fatal("a mailbox was made before it was needed")
	}
	var wg sync.WaitGroup
	results := make([]object, 5)
	ctx := k.ctx()
	for i := range results {
		wg.Go(func() {
			r, err := s.CallTool(ctx, &mcp.CallToolParams{Name: "get_stats"})
			if err != nil || r.IsError {
				t.Errorf("%v, %v", r, err)
				return
			}
			results[i] = r.StructuredContent.(object)
		})
	}
	wg.Wait()
	if len(keep.saved) != 1 {
		t.Fatalf("%d mailboxes were made", len(keep.saved))
	}
	told := 0
	for _, r := range results {
		if r["mailbox"] != keep.saved[0].Mailbox {
			t.Errorf("%v", r)
		}
		if note, ok := r["note"].(string); ok && strings.Contains(note, keep.saved[0].Mailbox) {
			told++
		}
	}
	if told != 1 {
		t.Errorf("it was told %d times", told)
	}
	if said := s.refused("send_email", object{"to": "a@b.example", "subject": "x", "body": "x"}); !strings.Contains(
		said, "mailkin claim") {
		t.Errorf("how to claim is not said: %q", said)
	}
	made := s.call("create_temporary_mailbox", nil)
	if made["mailbox"] != keep.saved[0].Mailbox || made["api_key"] != nil {
		t.Errorf("another was made: %v", made)
	}
	if made := s.call("create_temporary_mailbox", object{"new": true}); made["mailbox"] == keep.saved[0].Mailbox ||
		len(keep.saved) != 2 {
		t.Errorf("no other was made: %v", made)
	}
}

// A temporary mailbox does not take the place of a permanent one, nor of a key that somebody has set: it is handed out.
func TestMailboxBesidePermanent(t *testing.T) {
	k := newKit(t)
	permanent, key := k.mailbox()
	for name, a := range map[string]mcpserver.Account{
		"permanent": {URL: k.url, Key: key, Mailbox: permanent}, "given": {URL: k.url, Key: key, Given: true},
	} {
		t.Run(name, func(t *testing.T) {
			keep := &memory{account: a}
			s := k.overPipes(keep, nil)
			made := s.call("create_temporary_mailbox", nil)
			given, _ := made["api_key"].(string)
			if given == "" || made["mailbox"] == permanent || len(keep.saved) != 0 {
				t.Fatalf("%v, %d saved", made, len(keep.saved))
			}
			if got := s.call("get_stats", nil); got["mailbox"] != permanent {
				t.Errorf("the tools went over to %v", got["mailbox"])
			}
			if got := k.overHTTP(given).call("get_stats", nil); got["mailbox"] != made["mailbox"] {
				t.Errorf("the key is of %v", got["mailbox"])
			}
		})
	}
}

// Where the key that somebody has set is one of a temporary mailbox, that one is given.
func TestMailboxOfAGivenKey(t *testing.T) {
	k := newKit(t)
	own, key := k.temporary()
	made := k.overPipes(&memory{account: mcpserver.Account{URL: k.url, Key: key, Given: true}},
		nil).call("create_temporary_mailbox", nil)
	if made["mailbox"] != own || made["api_key"] != nil {
		t.Errorf("%v", made)
	}
}

// When a temporary mailbox has ended, another takes its place, and that is said. A key that somebody has set is not
// replaced.
func TestMailboxEnds(t *testing.T) {
	k := newKit(t)
	_, gone := k.temporary()
	_, err := k.client(gone).DeleteMailbox(k.ctx())
	k.done(err)
	ended := mcpserver.Account{URL: k.url, Key: gone, Mailbox: "old@mailkin.localhost",
		ExpiresAt: time.Now().Add(time.Hour)}

	keep := &memory{account: ended}
	got := k.overPipes(keep, nil).call("get_stats", nil)
	note, _ := got["note"].(string)
	if len(keep.saved) != 1 || got["mailbox"] != keep.saved[0].Mailbox ||
		!strings.Contains(note, "old@mailkin.localhost has ended") {
		t.Errorf("%v", got)
	}
	for name, a := range map[string]mcpserver.Account{
		"given": {URL: k.url, Key: gone, Given: true}, "permanent": {URL: k.url, Key: gone},
	} {
		t.Run(name, func(t *testing.T) {
			keep := &memory{account: a}
			if said := k.overPipes(keep, nil).refused("get_stats", nil); len(keep.saved) != 0 ||
				!strings.Contains(said, "MAILKIN_API_KEY") {
				t.Errorf("%q, %d saved", said, len(keep.saved))
			}
		})
	}
	t.Run("cannot be kept", func(t *testing.T) {
		keep := &memory{account: mcpserver.Account{URL: k.url}, refuses: true}
		s := k.overPipes(keep, nil)
		first, second := s.call("get_stats", nil), s.call("get_stats", nil)
		if first["mailbox"] != second["mailbox"] || second["note"] != nil || !strings.Contains(first["note"].(string),
			"this run alone") {
			t.Errorf("%v, %v", first, second)
		}
	})
}

// Once a mailbox has been claimed, its tools are there without a restart, and the client is told.
func TestMailboxIsClaimed(t *testing.T) {
	k := newKit(t)
	_, temporary := k.temporary()
	_, permanent := k.mailbox()
	keep := &memory{account: mcpserver.Account{URL: k.url, Key: temporary, ExpiresAt: time.Now().Add(time.Hour)}}
	changed := make(chan struct{}, 10)
	s := k.overPipes(keep, &mcp.ClientOptions{ToolListChangedHandler: func(context.Context,
		*mcp.ToolListChangedRequest) {
		changed <- struct{}{}
	}})
	if slices.Contains(s.names(), "send_email") {
		t.Fatal("a temporary mailbox cannot send")
	}
	keep.set(mcpserver.Account{URL: k.url, Key: permanent})
	s.call("get_stats", nil)
	select {
	case <-changed:
	case <-k.ctx().Done():
		t.Fatal("the client was not told")
	}
	if !slices.Contains(s.names(), "send_email") {
		t.Error("a permanent mailbox can send")
	}
}

// A service that is not there is a sentence, not an end of the program.
func TestServiceIsAway(t *testing.T) {
	k := newKit(t)
	s := k.overPipes(&memory{account: mcpserver.Account{URL: "http://127.0.0.1:1"}}, nil)
	if said := s.refused("get_stats", nil); !strings.Contains(said, "MAILKIN_URL") {
		t.Error(said)
	}
	s = k.overPipes(&memory{account: mcpserver.Account{URL: "not a url"}}, nil)
	if said := s.refused("get_stats", nil); !strings.Contains(said, "MAILKIN_URL") {
		t.Error(said)
	}
}

// Over HTTP a connection stays with its key: a new mailbox is handed out with its own.
func TestMailboxOverHTTP(t *testing.T) {
	k := newKit(t)
	own, temporary := k.temporary()
	s := k.overHTTP(temporary)
	if made := s.call("create_temporary_mailbox", nil); made["mailbox"] != own || made["api_key"] != nil {
		t.Errorf("another was made: %v", made)
	}
	permanent, key := k.mailbox()
	for name, s := range map[string]*session{"a temporary mailbox's": s, "a permanent one's": k.overHTTP(key)} {
		t.Run(name, func(t *testing.T) {
			made := s.call("create_temporary_mailbox", object{"new": true})
			given, _ := made["api_key"].(string)
			if made["mailbox"] == own || made["mailbox"] == permanent || given == "" {
				t.Fatalf("%v", made)
			}
			if got := k.overHTTP(given).call("get_stats", nil); got["mailbox"] != made["mailbox"] {
				t.Errorf("%v", got)
			}
		})
	}
	if said := s.refused("send_email", object{"to": "a@b.example", "subject": "x", "body": "x"}); !strings.Contains(
		said, "mailkin claim") || !strings.Contains(said, k.url) {
		t.Errorf("how to claim is not said: %q", said)
	}
}
