package service_test

import (
	"net/netip"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// operatorNamed makes an operator and returns the key.
func (k *kit) operatorNamed(name string, role mailbox.Role) service.CreatedKey {
	k.Helper()
	made, err := k.svc.CreateOperator(k.Context(), k.operator(mailbox.ManageOperators, ""),
		service.NewOperator{Name: name, Role: role})
	k.works("CreateOperator", err)
	return made
}

// What each role may do, and to which mailboxes, written out once more.
func TestRoles(t *testing.T) {
	k := newService(t)
	other := k.permanent("other")
	const none, own, all = 0, 1, 2
	table := map[mailbox.Capability][2]int{ // view, moderate
		mailbox.KnowSelf: {all, all}, mailbox.ReadMailbox: {all, all}, mailbox.ReadStats: {all, all},
		mailbox.ReadMail: {own, own}, mailbox.ReadCode: {own, own}, mailbox.ExtractData: {own, own},
		mailbox.ReadAttachment: {own, own}, mailbox.ReadManaged: {all, all}, mailbox.Oversee: {all, all},
		mailbox.RotateKey: {all, all}, mailbox.RecallMail: {none, all}, mailbox.ReviewMail: {none, all},
		mailbox.ResumeSending: {none, all}, mailbox.PauseMailbox: {none, all}, mailbox.Moderate: {none, all},
	}
	for i, role := range []mailbox.Role{mailbox.View, mailbox.Moderator, mailbox.Admin} {
		key := k.operatorNamed(string(role), role)
		for _, c := range mailbox.Capabilities() {
			want := all
			if role != mailbox.Admin {
				want = table[c][i]
			}
			for _, at := range []struct {
				box string
				may bool
			}{{"", want > none}, {configured, want > none}, {other.Address, want == all}} {
				_, err := k.svc.Enter(t.Context(), k.login(key.Secret), service.Act{Need: c, Mailbox: at.box})
				if at.may != (err == nil) || err != nil && mailbox.KindOf(err) != mailbox.Denied {
					t.Errorf("%s, %v at %q: %v", role, c, at.box, err)
				}
			}
		}
	}
}

// An operator who may read the configured mailbox alone finds nothing in others by its id.
func TestRoleReadsNoOthers(t *testing.T) {
	k := newService(t)
	other := k.permanent("other")
	id := k.receive("Subject: secret\r\n\r\nbody\r\n", other.Address)[0].ID
	for role, found := range map[mailbox.Role]bool{mailbox.View: false, mailbox.Moderator: false, mailbox.Admin: true} {
		key := k.operatorNamed(string(role), role)
		in, err := k.svc.Enter(t.Context(), k.login(key.Secret), service.Act{Need: mailbox.ReadMail})
		k.works("Enter", err)
		_, err = k.svc.Message(t.Context(), in, id, service.MessageOptions{})
		if found != (err == nil) {
			t.Errorf("%s: %v", role, err)
		}
	}
}

func TestOperators(t *testing.T) {
	k := newService(t)
	admin := k.operator(mailbox.ManageOperators, "")
	kim := k.operatorNamed("Kim", mailbox.View)
	for _, tt := range []struct {
		name string
		n    service.NewOperator
		kind mailbox.Kind
		code string
	}{
		{"the same name", service.NewOperator{Name: "kim", Role: mailbox.View}, mailbox.Conflict, "operator_taken"},
		{"no name", service.NewOperator{Name: " ", Role: mailbox.View}, mailbox.Invalid, "invalid_name"},
		{"the token's name", service.NewOperator{Name: "auth_token", Role: mailbox.View}, mailbox.Invalid,
			"invalid_name"},
		{"the token in words", service.NewOperator{Name: "The  operator’s token", Role: mailbox.View},
			mailbox.Invalid, "invalid_name"},
		{"the operator", service.NewOperator{Name: "Operator", Role: mailbox.View}, mailbox.Invalid, "invalid_name"},
		{"a key", service.NewOperator{Name: "The key 0199e5a4…", Role: mailbox.View}, mailbox.Invalid,
			"invalid_name"},
		{"no role", service.NewOperator{Name: "a"}, mailbox.Invalid, "invalid_role"},
		{"another role", service.NewOperator{Name: "a", Role: "root"}, mailbox.Invalid, "invalid_role"},
		{"no address", service.NewOperator{Name: "a", Role: mailbox.View, Email: "x"}, mailbox.Invalid,
			"invalid_email"},
		{"over already", service.NewOperator{Name: "a", Role: mailbox.View, ExpiresAt: time.Unix(1, 0)},
			mailbox.Invalid, "invalid_expires_at"},
	} {
		_, err := k.svc.CreateOperator(t.Context(), admin, tt.n)
		k.kind(tt.name, err, tt.kind, tt.code)
	}
	role := mailbox.Moderator
	_, err := k.svc.UpdateOperator(t.Context(), admin, kim.ID, service.OperatorChange{Role: &role})
	k.works("UpdateOperator", err)
	if who := k.login(kim.Secret); who.Role() != mailbox.Moderator || who.Scope != mailbox.Operator {
		t.Errorf("the operator is %v with the role %v", who.Scope, who.Role())
	}
	in, err := k.svc.Enter(t.Context(), k.login(kim.Secret), service.Act{Need: mailbox.RotateKey})
	k.works("Enter", err)
	rotated, err := k.svc.RotateKey(t.Context(), in)
	k.works("RotateKey", err)
	list, err := k.svc.Operators(t.Context(), admin)
	k.works("Operators", err)
	if len(list) != 1 || list[0].ID != rotated.ID {
		t.Errorf("%d operators: %v", len(list), list)
	}
	k.kind("a key of no mailbox", k.svc.RevokeKey(t.Context(), admin, rotated.ID), mailbox.NotFound, "not_found")
	k.works("DeleteOperator", k.svc.DeleteOperator(t.Context(), admin, rotated.ID))
	_, err = k.svc.Authenticate(t.Context(), rotated.Secret)
	k.kind("gone", err, mailbox.Unauthorized, "unauthorized")
	k.kind("again", k.svc.DeleteOperator(t.Context(), admin, rotated.ID), mailbox.NotFound, "not_found")
}

// Who the provider knows gets in as the operator with that address, or with the role that the settings give; a session
// ends with its operator.
func TestSignIn(t *testing.T) {
	const issuer = "https://id.example"
	k := newService(t, func(o *service.Options) {
		o.SignIns = mailbox.SignIns{Issuer: issuer, Lasts: time.Hour, Roles: map[string]mailbox.Role{
			"boss": mailbox.Admin, "desk": mailbox.Moderator}}
	})
	admin := k.operator(mailbox.ManageOperators, "")
	robin, err := k.svc.CreateOperator(t.Context(), admin, service.NewOperator{Name: "Robin", Role: mailbox.View,
		Email: "Robin@Example.com"})
	k.works("CreateOperator", err)
	signIn := func(subject, email, name string, groups ...string) (service.CreatedKey, error) {
		k.clock.Advance(time.Second) // lists are in the order of time
		id := mailbox.Identity{Issuer: issuer, Subject: subject, Email: email, Name: name, Values: groups}
		return k.svc.SignIn(t.Context(), id, service.Origin{Client: netip.MustParseAddr("192.0.2.7")})
	}
	ended := func(what string, made service.CreatedKey) {
		t.Helper()
		_, err := k.svc.Authenticate(t.Context(), made.Secret)
		k.kind(what, err, mailbox.Unauthorized, "unauthorized")
	}
	_, err = signIn("1", "eve@example.com", "Eve", "others")
	k.kind("nobody's mapping", err, mailbox.Denied, "not_mapped")
	first, err := signIn("2", "robin@example.com", "R", "boss")
	k.works("by address", err)
	if who := k.login(first.Secret); who.Role() != mailbox.View || who.Named.Restriction().Name != "Robin" {
		t.Errorf("signed in as %v", who.Named.Restriction())
	}
	_, err = signIn("9", "robin@example.com", "R")
	k.kind("the address is somebody else's now", err, mailbox.Denied, "not_mapped")
	again, err := signIn("2", "robin@elsewhere.example", "R")
	k.works("the same person with another address", err)
	if who := k.login(again.Secret); who.Role() != mailbox.View {
		t.Errorf("signed in as %v", who.Named.Restriction())
	}

	second, err := signIn("3", "", "robin", "desk", "others")
	k.works("by claim", err)
	if who := k.login(second.Secret); who.Role() != mailbox.Moderator || who.Named.Restriction().Name != "robin <3>" {
		t.Errorf("signed in as %v", who.Named.Restriction())
	}
	third, err := signIn("3", "", "robin", "desk", "boss")
	k.works("with another role", err)
	if who := k.login(third.Secret); who.Role() != mailbox.Admin {
		t.Errorf("the role is %v", who.Role())
	}
	ended("the role of before", second)
	list, err := k.svc.Operators(t.Context(), admin)
	k.works("Operators", err)
	role := mailbox.View
	_, err = k.svc.UpdateOperator(t.Context(), admin, list[1].ID, service.OperatorChange{Role: &role})
	k.kind("a role that the provider gives", err, mailbox.Invalid, "invalid_role")
	sessions, err := k.svc.Sessions(t.Context(), admin)
	k.works("Sessions", err)
	if len(sessions) != 3 || len(list) != 2 || list[0].Sessions != 2 || sessions[2].Operator.ID != list[1].ID {
		t.Errorf("sessions %v, operators %v", sessions, list)
	}
	_, err = signIn("3", "", "robin", "others")
	k.kind("no longer mapped", err, mailbox.Denied, "not_mapped")
	ended("the role is lost", third)

	for range 25 {
		third, err = signIn("4", "lee@example.com", "Lee", "boss")
		k.works("many sessions", err)
	}
	sessions, err = k.svc.Sessions(t.Context(), admin)
	k.works("Sessions", err)
	if len(sessions) != 22 {
		t.Errorf("%d sessions", len(sessions))
	}
	k.works("EndSession", k.svc.EndSession(t.Context(), admin, third.ID))
	ended("ended", third)
	list, err = k.svc.Operators(t.Context(), admin)
	k.works("Operators", err)
	n, err := k.svc.EndSessions(t.Context(), admin, list[1].ID)
	k.works("EndSessions", err)
	if n != 19 || list[1].Restriction().Name != "Lee <lee@example.com>" {
		t.Errorf("%d sessions of %s have ended", n, list[1].Restriction().Name)
	}

	email := "robin@new.example"
	_, err = k.svc.UpdateOperator(t.Context(), admin, robin.ID, service.OperatorChange{Email: &email})
	k.works("UpdateOperator", err)
	ended("it was the session of another address", first)
	first, err = signIn("5", email, "R")
	k.works("the new address", err)
	k.works("DeleteOperator", k.svc.DeleteOperator(t.Context(), admin, robin.ID))
	ended("its operator is gone", first)
}

// A session is good for as long as the settings name the provider and the role that it was begun with.
func TestSessionHolds(t *testing.T) {
	now := mailbox.SignIns{Issuer: "https://id.example", Roles: map[string]mailbox.Role{"boss": mailbox.Admin}}
	for name, tt := range map[string]struct {
		session mailbox.Restriction
		want    bool
	}{
		"by address":       {mailbox.Restriction{Issuer: now.Issuer, Role: mailbox.View}, true},
		"by claim":         {mailbox.Restriction{Issuer: now.Issuer, Role: mailbox.Admin, Grant: "boss"}, true},
		"another role":     {mailbox.Restriction{Issuer: now.Issuer, Role: mailbox.View, Grant: "boss"}, false},
		"another value":    {mailbox.Restriction{Issuer: now.Issuer, Role: mailbox.Admin, Grant: "desk"}, false},
		"another provider": {mailbox.Restriction{Issuer: "https://x.example", Role: mailbox.View}, false},
	} {
		if got := now.Hold(tt.session); got != tt.want || (mailbox.SignIns{}).Hold(tt.session) {
			t.Errorf("%s: %v", name, got)
		}
	}
}
