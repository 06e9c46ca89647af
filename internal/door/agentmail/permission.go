package agentmail

import (
	"maps"
	"slices"
	"strings"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// permissions are theirs of a key. Where there are none the key may do everything that one of the inbox may; else those
// alone that are true.
type permissions map[string]bool

// groups are the permissions that a capability of ours is. A key gets it where all in needs are asked for; those in
// brings come along with it, since they are about the same.
var groups = []struct {
	capability    string
	needs, brings []string
}{
	{"read", []string{"message_read"}, []string{"inbox_read", "label_spam_read", "label_blocked_read",
		"label_unauthenticated_read", "label_trash_read", "list_entry_read", "metrics_read", "pod_read"}},
	{"send", []string{"message_send"}, []string{"draft_read", "draft_create", "draft_update", "draft_delete",
		"draft_send"}},
	{"draft", []string{"draft_read", "draft_create", "draft_update", "draft_delete"}, nil},
	{"manage", []string{"inbox_update", "inbox_delete", "message_update", "message_delete", "webhook_read",
		"webhook_create", "webhook_update", "webhook_delete", "domain_read", "domain_create", "domain_update",
		"domain_delete"}, nil},
}

// makesInboxes is the permission that a key of the account has or has not, for good.
const makesInboxes = "inbox_create"

// operators are permissions that no key has here.
var operators = []string{"list_entry_create", "list_entry_delete", "api_key_read", "api_key_create", "api_key_update",
	"api_key_delete", "provider_connect", "provider_share_owner", "pod_create", "pod_delete"}

// capabilities are ours for permissions of theirs. A key gets what it was asked for, as far as groups says no more;
// what only comes with something that was not asked for is refused.
func (p permissions) capabilities() (list []string, creates bool, err error) {
	open := make(map[string]bool)
	for name, on := range p {
		if on {
			open[name] = true
		}
	}
	creates = open[makesInboxes]
	delete(open, makesInboxes)
	asked := maps.Clone(open)
	for _, g := range groups {
		if slices.ContainsFunc(g.needs, func(name string) bool { return !asked[name] }) ||
			g.capability == "draft" && slices.Contains(list, "send") {
			continue
		}
		list = append(list, g.capability)
		for _, name := range slices.Concat(g.needs, g.brings) {
			delete(open, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(open)) {
		return nil, creates, notAlone(name)
	}
	if len(list) == 0 {
		return nil, creates, invalid("permissions", "A key without any permission is of no use; set one to true.")
	}
	return list, creates, nil
}

// notAlone says why a permission cannot be given.
func notAlone(name string) error {
	if slices.Contains(operators, name) {
		return invalid("permissions", "No key has %s here: that is the operator's.", name)
	}
	for _, g := range groups {
		if slices.Contains(g.needs, name) || slices.Contains(g.brings, name) {
			return invalid("permissions", "%s comes with %s here, and not alone.", name, strings.Join(g.needs, ", "))
		}
	}
	return invalid("permissions", "There is no permission %q.", mailbox.Clip(name, 50))
}

// permissionsOf are theirs of a key; nil where it is not restricted.
func permissionsOf(r mailbox.Restriction) permissions {
	if len(r.Capabilities) == 0 {
		return nil
	}
	p := permissions{}
	for _, g := range groups {
		if slices.Contains(r.Capabilities, g.capability) {
			for _, name := range slices.Concat(g.needs, g.brings) {
				p[name] = true
			}
		}
	}
	if r.CreateMailboxes {
		p[makesInboxes] = true
	}
	return p
}
