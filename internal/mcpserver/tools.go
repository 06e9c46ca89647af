package mcpserver

import (
	"context"

	"github.com/mailkin/mailkin/client"
)

// tool is one line of the table.
type tool struct {
	name, title string
	about       string // for a model that has to choose
	hints       hints
	permanent   bool // a temporary mailbox cannot use it
	create      bool // it makes the mailbox, and needs none
	input       schema
	output      schema
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
		inboxTool(),
		searchTool(),
		emailTool(),
		codeTool(),
		waitTool(),
		deleteTool(),
		attachmentTool(),
		threadsTool(),
		threadTool(),
		extractTool(),
		statsTool(),
	}
}

// isPermanent tells whether only a permanent mailbox can use a tool.
func isPermanent(name string) bool {
	for _, t := range tools() {
		if t.name == name {
			return t.permanent
		}
	}
	return false
}
