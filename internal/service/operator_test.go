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
	k := newService(t)
	admin := k.operator(mailbox.ManageOperators, "")
	robin, err := k.svc.CreateOperator(t.Context(), admin, service.NewOperator{Name: "Robin", Role: mailbox.View,
		Email: "Robin@Example.com"})
	k.works("CreateOperator", err)
	from := netip.MustParseAddr("192.0.2.7")
	signIn := func(id service.Identity) (service.CreatedKey, error) {
		id.Issuer, id.Client = "https://id.example", from
		return k.svc.SignIn(t.Context(), id, time.Hour)
	}
	_, err = signIn(service.Identity{Subject: "1", Email: "eve@example.com", Name: "Eve"})
	k.kind("nobody's mapping", err, mailbox.Denied, "not_mapped")
	first, err := signIn(service.Identity{Subject: "2", Email: "robin@example.com", Name: "R", Role: mailbox.Admin})
	k.works("by address", err)
	if who := k.login(first.Secret); who.Role() != mailbox.View || who.Named.Restriction().Name != "Robin" {
		t.Errorf("signed in as %v", who.Named.Restriction())
	}
	second, err := signIn(service.Identity{Subject: "3", Name: "robin", Role: mailbox.Moderator})
	k.works("by claim", err)
	if who := k.login(second.Secret); who.Role() != mailbox.Moderator || who.Named.Restriction().Name != "robin (2)" {
		t.Errorf("signed in as %v", who.Named.Restriction())
	}
	_, err = signIn(service.Identity{Subject: "3", Name: "robin", Role: mailbox.Admin})
	k.works("with another role", err)
	if who := k.login(second.Secret); who.Role() != mailbox.Admin {
		t.Errorf("the older session has the role %v", who.Role())
	}
	_, err = signIn(service.Identity{Subject: "3", Name: "robin"})
	k.kind("no longer mapped", err, mailbox.Denied, "not_mapped")
	sessions, err := k.svc.Sessions(t.Context(), admin)
	k.works("Sessions", err)
	list, err := k.svc.Operators(t.Context(), admin)
	k.works("Operators", err)
	open := map[string]int{}
	for _, o := range list {
		open[o.Restriction().Name] = o.Sessions
	}
	if len(sessions) != 3 || len(open) != 2 || open["Robin"] != 1 || open["robin (2)"] != 2 {
		t.Errorf("%d sessions, operators %v", len(sessions), list)
	}
	k.works("DeleteOperator", k.svc.DeleteOperator(t.Context(), admin, robin.ID))
	_, err = k.svc.Authenticate(t.Context(), first.Secret)
	k.kind("its operator is gone", err, mailbox.Unauthorized, "unauthorized")
	k.works("EndSession", k.svc.EndSession(t.Context(), admin, second.ID))
	_, err = k.svc.Authenticate(t.Context(), second.Secret)
	k.kind("ended", err, mailbox.Unauthorized, "unauthorized")
}
