package service_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/store"
)

// The permission table of SPEC 5.8, refined by API 2, written out once more.
func TestEnterScopes(t *testing.T) {
	k := newService(t)
	tokens := []struct {
		scope mailbox.Scope
		token mailbox.Secret
		code  string
	}{
		{mailbox.Provisional, k.provisional("temp").Key, "provisional_capability_denied"},
		{mailbox.Permanent, k.permanent("perm").Key, "scope_denied"},
		{mailbox.Operator, operatorToken, ""},
	}
	table := map[mailbox.Capability][3]bool{
		mailbox.KnowSelf:        {true, true, true},
		mailbox.ReadMailbox:     {true, true, true},
		mailbox.ReadStats:       {true, true, true},
		mailbox.ReadManaged:     {false, true, true},
		mailbox.ResumeSending:   {false, false, true},
		mailbox.Oversee:         {false, false, true},
		mailbox.Administer:      {false, false, true},
		mailbox.ManageOperators: {false, false, true},
		mailbox.ReadMail:        {true, true, true},
		mailbox.ReadCode:        {true, true, true},
		mailbox.DraftMail:       {false, true, true},
		mailbox.ReviewMail:      {false, false, true},
		mailbox.ControlMailbox:  {false, false, true},
		mailbox.ChangeSettings:  {false, true, true},
		mailbox.RotateKey:       {false, true, true},
		mailbox.CreateMailbox:   {false, false, true},
		mailbox.ExtractData:     {true, true, true},
		mailbox.ChangeMail:      {false, true, true},
		mailbox.ReadAttachment:  {false, true, true},
		mailbox.SendMail:        {false, true, true},
		mailbox.RecallMail:      {false, true, true},
		mailbox.ManageMailbox:   {false, true, true},
		mailbox.PauseMailbox:    {false, true, true},
		mailbox.DeleteMailbox:   {true, true, true},
		mailbox.Moderate:        {false, false, true},
		mailbox.IngestMail:      {false, false, true},
	}
	for _, c := range mailbox.Capabilities() {
		row, ok := table[c]
		if !ok {
			t.Errorf("%v is in no row of the table", c)
		}
		for i, who := range tokens {
			_, err := k.svc.Enter(t.Context(), k.login(who.token), service.Act{Need: c})
			if row[i] != (err == nil) {
				t.Errorf("%s, %v: %v, want %v", who.scope, c, err, row[i])
			}
			if !row[i] {
				k.kind(fmt.Sprint(who.scope, c), err, mailbox.Denied, who.code)
			}
		}
	}
	if _, err := k.svc.Enter(t.Context(), mailbox.Caller{}, service.Act{Need: mailbox.ReadMail}); mailbox.KindOf(
		err) != mailbox.Denied {
		t.Errorf("a caller without scope: %v", err)
	}
}

func TestEnterNamed(t *testing.T) {
	k := newService(t)
	own := k.insert(mailbox.Mailbox{Address: "own@example.test", Aliases: []string{"alias@xn--bcher-kva.test"},
		Scope: mailbox.Permanent})
	k.permanent("other")
	for _, c := range []struct {
		name  string
		token mailbox.Secret
		named string
		want  string // the mailbox entered, or empty
		kind  mailbox.Kind
		code  string
	}{
		{"own, unnamed", own.Key, "", "own@example.test", 0, ""},
		{"own", own.Key, "own@example.test", "own@example.test", 0, ""},
		{"own in other case", own.Key, " Own@Example.TEST ", "own@example.test", 0, ""},
		{"own, domain with a dot", own.Key, "own@example.test.", "own@example.test", 0, ""},
		{"own, quoted", own.Key, `"own"@example.test`, "own@example.test", 0, ""},
		{"alias", own.Key, "alias@xn--bcher-kva.test", "own@example.test", 0, ""},
		{"alias in its other form", own.Key, "Alias@BÜCHER.test", "own@example.test", 0, ""},
		{"tagged", own.Key, "own+x@example.test", "", mailbox.Forbidden, "forbidden"},
		{"other", own.Key, "other@example.test", "", mailbox.Forbidden, "forbidden"},
		{"missing", own.Key, "missing@example.test", "", mailbox.Forbidden, "forbidden"},
		{"configured", own.Key, configured, "", mailbox.Forbidden, "forbidden"},
		{"no address", own.Key, "own", "", mailbox.Forbidden, "forbidden"},
		{"a space", own.Key, " ", "", mailbox.Forbidden, "forbidden"},
		{"operator, unnamed", operatorToken, "", configured, 0, ""},
		{"operator, configured", operatorToken, "OPS@example.test", configured, 0, ""},
		{"operator, other", operatorToken, "Other@example.test", "other@example.test", 0, ""},
		{"operator, alias", operatorToken, "alias@bücher.test", "own@example.test", 0, ""},
		{"operator, missing", operatorToken, "missing@example.test", "", mailbox.NotFound, "not_found"},
	} {
		in, err := k.svc.Enter(t.Context(), k.login(c.token), service.Act{Need: mailbox.ReadMail, Mailbox: c.named})
		switch {
		case c.want == "":
			k.kind(c.name, err, c.kind, c.code)
			k.same(c.name, in.Box, mailbox.Mailbox{})
		case err != nil || in.Box.Address != c.want:
			t.Errorf("%s: %q, %v, want %q", c.name, in.Box.Address, err, c.want)
		}
	}
	_, existing := k.svc.Enter(t.Context(), k.login(own.Key), service.Act{Need: mailbox.ReadMail,
		Mailbox: "other@example.test"})
	_, missing := k.svc.Enter(t.Context(), k.login(own.Key), service.Act{Need: mailbox.ReadMail,
		Mailbox: "missing@example.test"})
	if existing.Error() != missing.Error() {
		t.Errorf("another mailbox and none are told apart: %v, %v", existing, missing)
	}
}

func TestAuthenticate(t *testing.T) {
	k := newService(t)
	good := k.permanent("good")
	temp := k.provisional("temp")
	revoked := k.permanent("revoked")
	k.update(func(tx store.Tx) error {
		keys, err := tx.Keys(t.Context(), revoked.Num)
		if err != nil {
			return err
		}
		return tx.DeleteKey(t.Context(), keys[0].ID)
	})
	expiring := k.permanent("expiring")
	k.update(func(tx store.Tx) error {
		keys, err := tx.Keys(t.Context(), expiring.Num)
		if err != nil {
			return err
		}
		return tx.ExpireKey(t.Context(), keys[0].ID, noon.Add(time.Hour))
	})
	for _, c := range []struct {
		name  string
		token mailbox.Secret
		at    time.Duration
		scope mailbox.Scope // empty: refused
	}{
		{"permanent", good.Key, 0, mailbox.Permanent},
		{"permanent, years later", good.Key, 5 * 365 * 24 * time.Hour, mailbox.Permanent},
		{"provisional", temp.Key, 0, mailbox.Provisional},
		{"provisional, at its last moment", temp.Key, 72*time.Hour - time.Millisecond, mailbox.Provisional},
		{"provisional, over", temp.Key, 72 * time.Hour, ""},
		{"key with an end", expiring.Key, time.Hour - time.Millisecond, mailbox.Permanent},
		{"key with an end, over", expiring.Key, time.Hour, ""},
		{"operator", operatorToken, 0, mailbox.Operator},
		{"operator, almost", operatorToken + "x", 0, ""},
		{"operator in other case", "Operator-token-for-tests", 0, ""},
		{"revoked", revoked.Key, 0, ""},
		{"unknown", mailbox.NewSecret(), 0, ""},
		{"empty", "", 0, ""},
		{"malformed", "mk_123", 0, ""},
		{"in upper case", mailbox.Secret("MK_" + string(good.Key[3:])), 0, ""},
		{"cut", good.Key[:66], 0, ""},
	} {
		k.clock.set(noon.Add(c.at))
		who, err := k.svc.Authenticate(t.Context(), c.token)
		if c.scope == "" {
			k.kind(c.name, err, mailbox.Unauthorized, "unauthorized")
			k.same(c.name, who, mailbox.Caller{})
		} else if err != nil || who.Scope != c.scope {
			t.Errorf("%s: %q, %v", c.name, who.Scope, err)
		}
	}
}

// Without an operator credential nobody is the operator.
func TestNoOperator(t *testing.T) {
	k := newService(t, func(o *service.Options) { o.Operator = "" })
	for _, token := range []mailbox.Secret{"", operatorToken} {
		_, err := k.svc.Authenticate(t.Context(), token)
		k.kind(fmt.Sprintf("%d bytes", len(token)), err, mailbox.Unauthorized, "unauthorized")
	}
}

// An expired mailbox is gone for everyone, also where its key has no end of its own.
func TestExpiredMailbox(t *testing.T) {
	k := newService(t)
	temp := k.provisional("temp")
	k.update(func(tx store.Tx) error {
		keys, err := tx.Keys(t.Context(), temp.Num)
		if err != nil {
			return err
		}
		return tx.ExpireKey(t.Context(), keys[0].ID, time.Time{})
	})
	k.clock.advance(72 * time.Hour)
	_, err := k.svc.Authenticate(t.Context(), temp.Key)
	k.kind("key", err, mailbox.Unauthorized, "unauthorized")
	_, err = k.svc.Recipient(t.Context(), "temp@example.test")
	k.kind("mail", err, mailbox.NoSuchRecipient, "no_such_recipient")
}

func TestPaused(t *testing.T) {
	k := newService(t)
	own := k.permanent("own")
	id := k.receive(letter("one"), "own@example.test")[0].ID
	before := own.read()
	_, err := k.svc.PauseMailbox(t.Context(), own.in(mailbox.PauseMailbox), "too loud")
	k.works("pause", err)
	if who := k.login(own.Key); !who.Halted() {
		t.Error("the owner of a paused mailbox is not stopped")
	}
	for _, c := range mailbox.Capabilities() {
		_, err := k.svc.Enter(t.Context(), k.login(operatorToken), service.Act{Need: c, Mailbox: "own@example.test"})
		if c.OnPaused() && err != nil || !c.OnPaused() && mailbox.KindOf(err) != mailbox.Paused {
			t.Errorf("operator, %v: %v", c, err)
		}
	}
	_, err = k.svc.Message(t.Context(), k.operator(mailbox.ReadMail, ""), id, service.MessageOptions{})
	k.kind("operator, by id", err, mailbox.Paused, "paused")
	k.same("what was entered before goes on", k.message(before, id).Subject, "one")

	_, err = k.svc.ResumeMailbox(t.Context(), own.in(mailbox.PauseMailbox))
	k.works("resume", err)
	k.message(k.operator(mailbox.ReadMail, ""), id)
}

// What the operator paused only the operator resumes.
func TestPausedByOperator(t *testing.T) {
	k := newService(t)
	own := k.permanent("own")
	moderate := k.operator(mailbox.PauseMailbox, "own@example.test")
	owner := own.in(mailbox.PauseMailbox)
	for range 2 {
		box, err := k.svc.PauseMailbox(t.Context(), moderate, "spam")
		k.works("pause", err)
		k.same("paused", []any{box.Status, box.PausedBy, box.PauseReason, box.PausedAt},
			[]any{mailbox.Halted, mailbox.ByOperator, "spam", noon})
		k.clock.advance(time.Minute)
		noonAgain := box.PausedAt
		if !noonAgain.Equal(noon) {
			t.Error("pausing again moved the pause")
		}
	}
	_, err := k.svc.ResumeMailbox(t.Context(), owner)
	k.kind("owner resumes", err, mailbox.Denied, "moderated")
	_, err = k.svc.PauseMailbox(t.Context(), owner, "mine")
	k.works("owner pauses too", err)
	_, err = k.svc.ResumeMailbox(t.Context(), owner)
	k.kind("owner resumes what both paused", err, mailbox.Denied, "moderated")
	_, err = k.svc.ResumeMailbox(t.Context(), moderate)
	k.works("operator resumes", err)
	if _, err := k.svc.ResumeMailbox(t.Context(), owner); err != nil {
		t.Errorf("resuming an active mailbox: %v", err)
	}
}

// Each use by the operator of another mailbox than the configured one is in the audit log, also where only an id was
// given.
func TestOperatorAudit(t *testing.T) {
	k := newService(t)
	k.permanent("own")
	id := k.receive(letter("one"), "own@example.test")[0].ID
	mine := k.receive(letter("mine"), configured)[0].ID
	type entry struct{ Action, Box string }
	audits := func() (out []entry) {
		list, err := k.svc.Audits(t.Context(), k.operator(mailbox.Moderate, ""),
			service.AuditsQuery{Page: service.Page{Limit: 100}})
		k.works("Audits", err)
		for _, a := range list.Items {
			out = append(out, entry{a.Action, a.Mailbox})
		}
		return out
	}
	was := len(audits())
	expect := func(what string, want ...entry) {
		t.Helper()
		now := audits()
		k.same(what, now[:len(now)-was], want)
		was = len(now)
	}
	seen := true
	read, change := k.operator(mailbox.ReadMail, ""), k.operator(mailbox.ChangeMail, "")
	k.message(read, mine)
	expect("the configured mailbox")
	k.message(read, id)
	expect("read by id", entry{"read mail", "own@example.test"})
	_, err := k.svc.ChangeMessage(t.Context(), change, id, service.MessageChange{Seen: &seen})
	k.works("change", err)
	expect("changed by id", entry{"change mail", "own@example.test"})
	raw, err := k.svc.Raw(t.Context(), k.operator(mailbox.ReadAttachment, ""), id)
	k.works("raw", err)
	k.works("close", raw.Close())
	expect("raw by id", entry{"read attachments", "own@example.test"})
	_, err = k.svc.Thread(t.Context(), read, id, service.Page{Limit: 10})
	k.works("thread", err)
	expect("thread by id", entry{"read mail", "own@example.test"})
	k.operator(mailbox.ReadMail, "own@example.test")
	expect("named", entry{"read mail", "own@example.test"})
	k.operator(mailbox.ManageMailbox, "own@example.test")
	expect("named to change", entry{"manage the mailbox", "own@example.test"})
	k.works("delete", k.svc.DeleteMessage(t.Context(), change, id))
	expect("deleted by id", entry{"change mail", "own@example.test"})
	_, err = k.svc.Message(t.Context(), read, id, service.MessageOptions{})
	k.kind("gone", err, mailbox.NotFound, "not_found")
	expect("not found")
}

// What is done to the configured mailbox by its address is noted, as it is of any other. While it is paused, the
// operator may ask who that is.
func TestConfiguredMailboxIsAudited(t *testing.T) {
	k := newService(t)
	for _, verb := range []string{"PATCH /v1/mailboxes/{address}/pause", "PATCH /v1/mailboxes/{address}/resume",
		"DELETE /v1/mailboxes/{address}", "GET /v1/mailboxes/{address}"} {
		_, err := k.svc.Enter(t.Context(), k.login(operatorToken), service.Act{Need: mailbox.Administer, Verb: verb,
			Mailbox: configured})
		k.works(verb, err)
	}
	list, err := k.svc.Audits(t.Context(), k.operator(mailbox.Moderate, ""),
		service.AuditsQuery{Page: service.Page{Limit: 100}})
	k.works("Audits", err)
	var noted []string
	for _, a := range list.Items {
		noted = append(noted, a.Action)
	}
	k.same("noted", noted, []string{"DELETE /v1/mailboxes/{address}", "PATCH /v1/mailboxes/{address}/resume",
		"PATCH /v1/mailboxes/{address}/pause"})

	_, err = k.svc.PauseMailbox(t.Context(), k.operator(mailbox.PauseMailbox, configured), "")
	k.works("pause", err)
	_, err = k.svc.Enter(t.Context(), k.login(operatorToken), service.Act{Need: mailbox.KnowSelf})
	k.works("who am I", err)
	_, err = k.svc.Enter(t.Context(), k.login(operatorToken), service.Act{Need: mailbox.ReadMail})
	k.kind("its mail", err, mailbox.Paused, "paused")
}

// A key sees ids of its own mailbox alone; others are as if they were not.
func TestForeignIDs(t *testing.T) {
	k := newService(t)
	own, other := k.permanent("own"), k.permanent("other")
	id := k.receive(withAttachment("one"), "other@example.test")[0].ID
	named := k.operator(mailbox.ChangeMail, "own@example.test")
	seen := true
	for _, who := range []struct {
		name string
		in   service.Access
	}{{"another key", own.change()}, {"an operator who named another", named}} {
		for _, what := range []mailbox.ID{id, mailbox.NewID(noon), {}} {
			_, err := k.svc.Message(t.Context(), who.in, what, service.MessageOptions{MarkSeen: true})
			k.kind(who.name+": Message", err, mailbox.NotFound, "not_found")
			_, err = k.svc.ChangeMessage(t.Context(), who.in, what, service.MessageChange{Seen: &seen})
			k.kind(who.name+": ChangeMessage", err, mailbox.NotFound, "not_found")
			k.kind(who.name+": DeleteMessage", k.svc.DeleteMessage(t.Context(), who.in, what), mailbox.NotFound,
				"not_found")
			_, err = k.svc.Raw(t.Context(), who.in, what)
			k.kind(who.name+": Raw", err, mailbox.NotFound, "not_found")
			_, err = k.svc.Attachment(t.Context(), who.in, what.Part(1))
			k.kind(who.name+": Attachment", err, mailbox.NotFound, "not_found")
			_, err = k.svc.Thread(t.Context(), who.in, what, service.Page{Limit: 10})
			k.kind(who.name+": Thread", err, mailbox.NotFound, "not_found")
			k.same(who.name+": Inbox", k.inbox(who.in, service.InboxQuery{Thread: what.String()}).Items,
				[]mailbox.Message{})
		}
	}
	if m := k.message(other.read(), id); m.Seen {
		t.Error("somebody else marked it seen")
	}
}
