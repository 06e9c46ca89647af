package wire

import (
	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/mailbox"
)

// NewListEntry returns an entry of a list.
func NewListEntry(e mailbox.Listed) api.ListEntry {
	return api.ListEntry{Value: string(e.Pattern), Note: e.Note, ExpiresAt: at(e.ExpiresAt), CreatedAt: at(e.CreatedAt)}
}

// NewListEntries returns a page of a list and where it goes on.
func NewListEntries(list []mailbox.Listed, next string) api.ListEntries {
	return api.ListEntries{Next: null(next), Entries: each(list, NewListEntry)}
}
