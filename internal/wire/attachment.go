package wire

import (
	"encoding/hex"
	"strconv"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/mailbox"
)

func newAttachment(m mailbox.Message, p mailbox.Part, downloadable bool) api.Attachment {
	a := api.Attachment{
		ID: m.ID.Part(p.Index).String(), EmailID: m.ID.String(),
		Filename: Filename(p), ContentType: p.ContentType, SizeBytes: p.Size,
		ContentDisposition: p.Disposition, ContentID: p.ContentID, MimePartIndex: p.Index,
		TextExtractionStatus: "unsupported",
		StorageKey:           rawKey(m.ID) + "#" + strconv.Itoa(p.Index), CreatedAt: at(m.ReceivedAt),
		Downloadable: downloadable,
	}
	if downloadable { // a short text can be guessed by its digest
		a.SHA256 = hex.EncodeToString(p.SHA256[:])
	}
	return a
}

// Filename is the name an attachment goes by: its own, or one made from its place in the message.
func Filename(p mailbox.Part) string {
	if p.Filename == "" {
		return "attachment-" + strconv.Itoa(p.Index)
	}
	return p.Filename
}
