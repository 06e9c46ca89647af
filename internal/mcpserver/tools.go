package mcpserver

import (
	"context"
	"slices"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/client"
)

// tool is one line of the table.
type tool struct {
	name, title string
	about       string // for a model that has to choose
	hints       hints
	permanent   bool     // a temporary mailbox cannot use it
	needs       []string // capabilities of a restricted key, one of which it must have; none: any key may use it
	reads       bool     // it needs read beside that
	create      bool     // it makes the mailbox, and needs none
	input       arguments
	heavy       func(args) bool // tells of a call that takes much memory; nil: none does
	run         func(context.Context, *client.Client, args) (result, error)
}

// hints are what a client may know of a tool before it asks its user.
type hints struct {
	readOnly    bool // it changes nothing
	destructive bool // it can take away what is there
	idempotent  bool // twice is as once
	openWorld   bool // it deals with people and machines elsewhere: it sends to them, or brings what they wrote
}

// reads are the hints of a tool that brings mail: anybody may have written it.
var reads = hints{readOnly: true, idempotent: true, openWorld: true}

// sends are those of a tool that sends it.
var sends = hints{openWorld: true}

// tools are all there are (API 12), in the order in which they are met.
func tools() []tool {
	return []tool{
		createTool(),
		sendTool(),
		replyTool(),
		forwardTool(),
		createDraftTool(),
		updateDraftTool(),
		listDraftsTool(),
		sendDraftTool(),
		inboxTool(),
		searchTool(),
		emailTool(),
		codeTool(),
		waitTool(),
		updateTool(),
		deleteTool(),
		attachmentTool(),
		threadsTool(),
		threadTool(),
		extractTool(),
		statsTool(),
	}
}

// usable tells whether a key can use a tool.
func (k keyKind) usable(name string) bool {
	for _, t := range tools() {
		if t.name != name {
			continue
		}
		lacks := len(k.capabilities) > 0 && len(t.needs) > 0 &&
			!slices.ContainsFunc(t.needs, func(need string) bool { return slices.Contains(k.capabilities, need) })
		if len(k.capabilities) > 0 && t.reads && !slices.Contains(k.capabilities, "read") {
			lacks = true
		}
		return !(t.permanent && k.temporary) && !lacks
	}
	return true
}

// keyKind is what decides which tools a key can use. The zero value is one that can use all.
type keyKind struct {
	temporary    bool     // its mailbox is
	capabilities []string // that it is restricted to; none: it is not
}

func kindOf(me *api.Me) keyKind {
	kind := keyKind{temporary: me.Scope == scopeProvisional}
	if me.Key != nil {
		kind.capabilities = me.Key.Capabilities
	}
	return kind
}

// Arguments that several tools have. An id has one name everywhere; the names that models guess and older servers had
// are taken too.

func emailID(about string) argument {
	also := []string{"id", "message_id", "mail_id", "latest_email_id"}
	return argument{name: "email_id", about: about, needed: true, also: also}
}

func threadID(about string) argument {
	return argument{name: "thread_id", about: about, also: []string{"conversation_id"}}
}

func view(first string, others ...string) argument {
	return argument{
		name: "view", among: append([]string{first}, others...),
		about: "new: without quoted history",
	}
}

func maxChars() argument {
	return argument{
		name: "max_chars", kind: whole, least: 1, most: mostBudget, about: "characters, 6000 by default",
	}
}

func offset(about string) argument {
	return argument{name: "offset", kind: whole, most: 1<<31 - 1, about: about}
}

func paging(limit, most int) arguments {
	return arguments{
		{name: "limit", kind: whole, least: 1, most: most, usual: limit, about: "entries at most",
			also: []string{"count", "max_results", "page_size"}},
		{name: "cursor", about: "next_cursor of the result before",
			also: []string{"next_cursor", "page_token"}},
		maxChars(),
	}
}
