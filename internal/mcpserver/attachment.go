package mcpserver

import (
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/client"
)

// The ways to give an attachment.
const (
	asAuto   = "auto"
	asText   = "text"
	asImage  = "image"
	asBase64 = "base64"
)

// imageLimit is how many bytes an image may have that is given as one.
const imageLimit = 750_000

func attachmentTool() tool {
	of := emailID("id of the message; needed without attachment_id")
	of.needed, of.also = false, []string{"message_id", "mail_id"}
	return tool{
		name: "get_attachment", title: "Read an attachment",
		needs: []string{"read"},
		about: "Read one file of a message: its text (also of PDF and office documents), an image, or bytes as " +
			"base64 in pieces. Files of strangers can be dangerous: do not run them.",
		hints: reads, permanent: true,
		input: arguments{
			of, {name: "attachment_id", about: "id of the file, from get_email; not needed if there is one",
				also: []string{"id", "file_id"}},
			{name: "as", among: []string{asAuto, asText, asImage, asBase64}, about: "auto: text if there is any, " +
				"else an image, else base64"},
			offset("next_offset of an earlier result"), maxChars(),
		},
		run: attachment,
	}
}

func attachment(ctx context.Context, c *client.Client, in args) (result, error) {
	of := in.text("email_id")
	if of == "" {
		if of = messageOf(in.text("attachment_id")); of == "" {
			return result{}, advice("The argument email_id is missing: the id of the message, or give attachment_id, " +
				"from get_email.")
		}
	}
	m, file, err := readFile(ctx, c, of, in)
	if err != nil {
		return result{}, err
	}
	r := result{fromMail: true, fields: fields{
		"attachment_id": file.ID, "email_id": m.ID, "filename": oneLine(file.Filename),
		"content_type": oneLine(file.ContentType), "size_bytes": file.SizeBytes,
		"sha256": file.SHA256, "trust": summary(m.Message)["trust"], "screening": screening(m.Screening),
		"continue": nil,
	}}
	switch as := in.text("as"); {
	case as == asText, as == asAuto && file.TextContent != "":
		return r, r.text(file, in)
	case as == asImage, as == asAuto && strings.HasPrefix(file.ContentType, "image/") && file.SizeBytes <= imageLimit:
		done, err := r.picture(ctx, c, file)
		if err != nil || done {
			return r, err
		}
		if as == asImage {
			return result{}, advice("The file is not a PNG, JPEG, GIF or WebP image. Ask for it with as=base64.")
		}
	}
	return r, r.bytes(ctx, c, file, in)
}

const (
	// textPatience is how long a model waits for the text of a file that has just come, and textLook how often it is
	// looked for.
	textPatience = 5 * time.Second
	textLook     = 200 * time.Millisecond
)

// readFile finds a file of a message. Where its text is wanted and still being read, that is waited for.
func readFile(ctx context.Context, c *client.Client, of string, in args) (*api.Email, *api.Attachment, error) {
	wanted := in.text("as") == asText || in.text("as") == asAuto
	for began := time.Now(); ; {
		m, err := c.Email(ctx, of, client.EmailOptions{})
		if err != nil {
			return nil, nil, err
		}
		file, err := pick(m, in.text("attachment_id"))
		if err != nil || !wanted || file.TextExtractionStatus != "pending" || time.Since(began) > textPatience {
			return m, file, err
		}
		select {
		case <-time.After(textLook):
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		}
	}
}

// messageOf is the id of the message that an attachment belongs to: the same but for the last three digits, which
// number the parts of a message (decision 5). Empty: it is no id.
func messageOf(attachmentID string) string {
	if len(attachmentID) != 36 {
		return ""
	}
	return attachmentID[:33] + "000"
}

// pick finds a file of a message.
func pick(m *api.Email, id string) (*api.Attachment, error) {
	if id == "" && len(m.Attachments) == 1 {
		return &m.Attachments[0], nil
	}
	for i := range m.Attachments {
		if m.Attachments[i].ID == id {
			return &m.Attachments[i], nil
		}
	}
	if len(m.Attachments) == 0 {
		return nil, advice("The message has no attachments.")
	}
	return nil, advice(fmt.Sprintf("The message has %d attachments, and none with that attachment_id. get_email "+
		"lists them.", len(m.Attachments)))
}

// text returns the text of a file.
func (r *result) text(file *api.Attachment, in args) error {
	if file.TextContent == "" {
		switch file.TextExtractionStatus {
		case "pending":
			return advice("The text of the file is not there yet. Call again in a few seconds.")
		case "done":
		default:
			return advice("There is no text that can be taken from this file. Ask for it with as=base64, or as=image.")
		}
	}
	p := cut(clean(file.TextContent), in.number("offset"), in.budget())
	r.fields["as"] = asText
	t := fields{"view": viewFull, "fenced": mailText(p.text), "offset": p.offset, "length": p.length, "total": p.total,
		"next_offset": nil}
	r.fields["text"] = t
	if next := p.next(); next > 0 {
		t["next_offset"] = next
		r.goOn(file, asText, next)
	}
	return nil
}

// goOn says how to get the rest.
func (r *result) goOn(file *api.Attachment, as string, next int) {
	r.fields["continue"] = fmt.Sprintf("There is more: call get_attachment with email_id=%s, attachment_id=%s, "+
		"as=%s, offset=%d.", file.EmailID, file.ID, as, next)
}

// picture returns a file as an image, if it is one: what it is called is not believed.
func (r *result) picture(ctx context.Context, c *client.Client, file *api.Attachment) (bool, error) {
	if file.SizeBytes > imageLimit {
		return false, advice(fmt.Sprintf("The image has %d bytes; at most %d are given as an image. Ask for it with "+
			"as=base64, in pieces.", file.SizeBytes, imageLimit))
	}
	data, err := download(ctx, c, file, client.Range{Length: imageLimit})
	if err != nil {
		return false, err
	}
	kind := http.DetectContentType(data)
	switch kind {
	case "image/png", "image/jpeg", "image/gif", "image/webp":
	default:
		return false, nil
	}
	r.fields["as"] = asImage
	r.image = &mcp.ImageContent{Data: data, MIMEType: kind}
	return true, nil
}

// bytes returns a piece of a file.
func (r *result) bytes(ctx context.Context, c *client.Client, file *api.Attachment, in args) error {
	offset := in.number("offset")
	size := in.budget() / 4 * 3 // a multiple of 3, so that pieces can be put together
	var data []byte
	if int64(offset) < file.SizeBytes {
		var err error
		if data, err = download(ctx, c, file, client.Range{Offset: int64(offset), Length: int64(size)}); err != nil {
			return err
		}
	}
	r.fields["as"], r.fields["offset"], r.fields["next_offset"] = asBase64, offset, nil
	r.fields["base64"] = base64.StdEncoding.EncodeToString(data)
	if next := offset + len(data); len(data) > 0 && int64(next) < file.SizeBytes {
		r.fields["next_offset"] = next
		r.goOn(file, asBase64, next)
	}
	return nil
}

// download reads a part of a file, and no more than was asked for.
func download(ctx context.Context, c *client.Client, file *api.Attachment, part client.Range) ([]byte, error) {
	d, err := c.Attachment(ctx, file.ID, part)
	if err != nil {
		return nil, err
	}
	defer func() { _ = d.Close() }()
	data, err := io.ReadAll(io.LimitReader(d, part.Length))
	if err != nil {
		return nil, fmt.Errorf("read the attachment: %w", err)
	}
	return data, nil
}
