package service_test

import (
	"io"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// A key that is changed is bound to what was given, keeps the rest, and its next request finds it so.
func TestUpdateKey(t *testing.T) {
	k := newService(t)
	own, beside := k.permanent("own"), k.permanent("beside")
	in := k.operator(mailbox.Moderate, "")
	made, err := k.svc.CreateKey(t.Context(), k.operator(mailbox.Moderate, own.Address), service.NewKey{Name: "first",
		Capabilities: []string{"read"}, Mailboxes: []string{beside.Address}})
	k.works("CreateKey", err)
	change := func(c service.KeyChange) string {
		t.Helper()
		got, err := k.svc.UpdateKey(t.Context(), in, made.ID, c)
		k.works("UpdateKey", err)
		k.same("mailboxes", got.Mailboxes, []string{beside.Address})
		k.same("stored", k.login(made.Secret).Key.Restriction().Encode(), got.Restriction().Encode())
		return got.Restriction().Encode()
	}
	want := made.Restriction()
	want.Name, want.Capabilities = "second", []string{"send"}
	k.same("name and capabilities", change(service.KeyChange{Name: ptr("second"), Capabilities: &[]string{"send"}}),
		want.Encode())
	want.Recipients, want.Networks = []mailbox.Pattern{"example.org"}, []netip.Prefix{netip.MustParsePrefix("::1/128")}
	want.ExpiresAt = noon.Add(time.Hour)
	k.same("the others", change(service.KeyChange{Recipients: &[]string{"example.org"}, Networks: &[]string{"::1"},
		ExpiresAt: ptr(noon.Add(time.Hour))}), want.Encode())
	want.Recipients, want.Networks, want.ExpiresAt, want.Name = nil, nil, time.Time{}, ""
	k.same("taken away", change(service.KeyChange{Name: ptr(""), Recipients: &[]string{}, Networks: &[]string{},
		ExpiresAt: &time.Time{}}), want.Encode())
	if _, err = k.svc.Enter(t.Context(), k.login(made.Secret), service.Act{Need: mailbox.ReadMail}); err == nil {
		t.Error("it still reads")
	}
	log, err := k.svc.Audits(t.Context(), in, service.AuditsQuery{Page: service.Page{Limit: 1}})
	k.works("Audits", err)
	k.same("noted", log.Items[0].Note, made.Hint+" name, recipients, networks, expires_at")
	k.same("noted of", log.Items[0].Mailbox, own.Address)
}

// What a key cannot be bound to changes nothing; keys that have ended, were rotated or are temporary stay as they are.
func TestUpdateKeyRefused(t *testing.T) {
	k := newService(t, func(o *service.Options) { o.KeyGrace = time.Hour })
	own, temp := k.permanent("own"), k.provisional("temp")
	in := k.operator(mailbox.Moderate, "")
	id := own.in(mailbox.KnowSelf).Caller.Key.ID
	for _, tt := range []struct {
		name string
		c    service.KeyChange
		code string
	}{
		{"nothing", service.KeyChange{}, "invalid_body"},
		{"a long name", service.KeyChange{Name: ptr(strings.Repeat("n", 101))}, "invalid_name"},
		{"no capability", service.KeyChange{Name: ptr("n"), Capabilities: &[]string{"fly"}}, "invalid_capabilities"},
		{"no address", service.KeyChange{Recipients: &[]string{"@"}}, "invalid_recipients"},
		{"no network", service.KeyChange{Networks: &[]string{"far"}}, "invalid_networks"},
		{"the past", service.KeyChange{ExpiresAt: ptr(noon)}, "invalid_expires_at"},
	} {
		_, err := k.svc.UpdateKey(t.Context(), in, id, tt.c)
		k.kind(tt.name, err, mailbox.Invalid, tt.code)
	}
	k.same("unchanged", own.in(mailbox.KnowSelf).Caller.Key.Restriction(), mailbox.Restriction{})
	rename := service.KeyChange{Name: ptr("n")}
	_, err := k.svc.UpdateKey(t.Context(), in, mailbox.NewID(noon), rename)
	k.kind("unknown", err, mailbox.NotFound, "not_found")
	_, err = k.svc.UpdateKey(t.Context(), in, temp.in(mailbox.KnowSelf).Caller.Key.ID, rename)
	k.kind("temporary", err, mailbox.Conflict, "provisional_mailbox")
	_, err = k.svc.RotateKey(t.Context(), own.in(mailbox.RotateKey))
	k.works("RotateKey", err)
	_, err = k.svc.UpdateKey(t.Context(), in, id, service.KeyChange{ExpiresAt: &time.Time{}})
	k.kind("rotated", err, mailbox.Conflict, "key_retired")
	k.clock.advance(time.Hour)
	_, err = k.svc.UpdateKey(t.Context(), in, id, service.KeyChange{ExpiresAt: &time.Time{}})
	k.kind("ended", err, mailbox.NotFound, "not_found")
}

// By its own hand, or that of another key of its mailbox, a key gets no more than a name, and that from none weaker.
func TestRenameOwnKey(t *testing.T) {
	k := newService(t)
	own, other := k.permanent("own"), k.permanent("other")
	operator := k.operator(mailbox.Moderate, own.Address)
	weak, err := k.svc.CreateKey(t.Context(), operator, service.NewKey{Capabilities: []string{"manage"},
		Recipients: []string{"example.org"}})
	k.works("CreateKey", err)
	peer, err := k.svc.CreateKey(t.Context(), operator, service.NewKey{Capabilities: []string{"manage"}})
	k.works("CreateKey", err)
	by := k.enter(weak.Secret, mailbox.ManageMailbox, "")
	k.works("itself", k.svc.RenameOwnKey(t.Context(), by, weak.ID, "mine"))
	k.works("a peer", k.svc.RenameOwnKey(t.Context(), by, peer.ID, "theirs"))
	want := weak.Restriction()
	want.Name = "mine"
	k.same("bound as before", k.login(weak.Secret).Key.Restriction(), want)
	k.kind("a stronger one", k.svc.RenameOwnKey(t.Context(), by, own.in(mailbox.KnowSelf).Caller.Key.ID, "x"),
		mailbox.Denied, "scope_denied")
	k.kind("a stranger's", k.svc.RenameOwnKey(t.Context(), by, other.in(mailbox.KnowSelf).Caller.Key.ID, "x"),
		mailbox.NotFound, "not_found")
	k.works("a weaker one", k.svc.RenameOwnKey(t.Context(), own.in(mailbox.ManageMailbox), weak.ID, "yours"))
	k.same("its name", k.login(weak.Secret).Key.Restriction().Name, "yours")
}

// A key that is bound to less while something is open with it: that ends, or goes on with less.
func TestUpdateKeyInUse(t *testing.T) {
	k := newService(t)
	own := k.permanent("own")
	operator := k.operator(mailbox.Moderate, "")
	key := func() service.CreatedKey {
		t.Helper()
		made, err := k.svc.CreateKey(t.Context(), k.operator(mailbox.Moderate, own.Address), service.NewKey{})
		k.works("CreateKey", err)
		return made
	}
	bind := func(id mailbox.ID, c service.KeyChange) {
		t.Helper()
		_, err := k.svc.UpdateKey(t.Context(), operator, id, c)
		k.works("UpdateKey", err)
	}
	for name, c := range map[string]service.KeyChange{"capability": {Capabilities: &[]string{"send"}},
		"network": {Networks: &[]string{"192.0.2.0/24"}}} {
		made := key()
		in := k.enter(made.Secret, mailbox.ReadMail, "")
		in.Client = netip.MustParseAddr("127.0.0.1")
		st, err := k.svc.Stream(t.Context(), &in, service.StreamQuery{})
		k.works("Stream", err)
		bind(made.ID, c)
		for err == nil {
			_, err = st.Next(t.Context(), time.Minute)
		}
		if err != io.EOF {
			t.Errorf("a stream, %s: %v", name, err)
		}
		st.Close()
	}

	made := key()
	id := k.receive("Subject: s\r\n\r\nt", own.Address)[0].ID
	token, err := k.svc.DownloadToken(k.enter(made.Secret, mailbox.ReadAttachment, ""), own.Num, id,
		noon.Add(time.Hour))
	k.works("DownloadToken", err)
	bind(made.ID, service.KeyChange{Capabilities: &[]string{"send", "draft"}})
	_, err = k.svc.Download(t.Context(), token)
	k.kind("a download", err, mailbox.NotFound, "not_found")

	who := k.login(made.Secret) // of an SMTP session
	bind(made.ID, service.KeyChange{Recipients: &[]string{"example.org"}})
	_, err = k.svc.Addressee(t.Context(), who, "ann@far.test")
	k.kind("a recipient", err, mailbox.NoSuchRecipient, "recipient_denied")
	bind(made.ID, service.KeyChange{Capabilities: &[]string{"read"}})
	k.kind("a sender", k.svc.Sender(t.Context(), who, own.Address), mailbox.Unauthorized, "unauthorized")
}
