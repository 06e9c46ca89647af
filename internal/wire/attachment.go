package wire

import (
	"encoding/hex"
	"strconv"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// Attachment is a part of a message that can be downloaded (API 5).
type Attachment struct {
	ID                   ID     `json:"id"`
	EmailID              ID     `json:"email_id"`
	Filename             string `json:"filename"`
	ContentType          string `json:"content_type"`
	SizeBytes            int64  `json:"size_bytes"`
	ContentDisposition   string `json:"content_disposition"`
	ContentID            string `json:"content_id"`
	MimePartIndex        int    `json:"mime_part_index"`
	TextContent          string `json:"text_content"`
	TextExtractionStatus string `json:"text_extraction_status"`
	StorageKey           string `json:"storage_key"`
	CreatedAt            Time   `json:"created_at"`
	Downloadable         bool   `json:"downloadable"`
	SHA256               string `json:"sha256"`
}

func newAttachment(m mailbox.Message, p mailbox.Part, downloadable bool) Attachment {
	a := Attachment{
		ID: ID(m.ID.Part(p.Index)), EmailID: ID(m.ID),
		Filename: Filename(p), ContentType: p.ContentType, SizeBytes: p.Size,
		ContentDisposition: p.Disposition, ContentID: p.ContentID, MimePartIndex: p.Index,
		TextExtractionStatus: "unsupported",
		StorageKey:           rawKey(m.ID) + "#" + strconv.Itoa(p.Index), CreatedAt: Time(m.ReceivedAt),
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
