package resend

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/door"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

const (
	maxMessage = 40 << 20               // bytes of a message with its attachments
	maxBody    = maxMessage/3*4 + 4<<20 // of the JSON that has them in base64
	maxBatch   = 100
	maxTags    = 75
	maxPart    = 256 // characters of the name or value of a tag, and of an Idempotency-Key
)

// texts is a string or a list of them.
type texts []string

func (t *texts) UnmarshalJSON(b []byte) error {
	var one string
	if json.Unmarshal(b, &one) == nil {
		if *t = nil; one != "" {
			*t = texts{one}
		}
		return nil
	}
	return json.Unmarshal(b, (*[]string)(t))
}

// email is the body of POST /emails.
type email struct {
	From        *string         `json:"from"`
	To          texts           `json:"to"`
	Cc          texts           `json:"cc"`
	Bcc         texts           `json:"bcc"`
	ReplyTo     texts           `json:"reply_to"`
	Subject     *string         `json:"subject"`
	HTML        *string         `json:"html"`
	Text        *string         `json:"text"`
	Headers     map[string]any  `json:"headers"`
	ScheduledAt *string         `json:"scheduled_at"`
	Tags        []tag           `json:"tags"`
	Attachments []file          `json:"attachments"`
	Template    json.RawMessage `json:"template"`
}

type tag struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type file struct {
	Filename    string          `json:"filename"`
	Content     json.RawMessage `json:"content"`
	Path        string          `json:"path"`
	ContentType string          `json:"content_type"`
	ContentID   string          `json:"content_id"`
	InlineID    string          `json:"inline_content_id"` // older programs
}

func missing(name string) error {
	return door.Refuse(422, "missing_required_field", "Missing `%s` field.", name)
}

func (e *edge) send(c *door.Call) error {
	body, err := c.Body(maxBody)
	if err != nil {
		return err
	}
	var mail email
	if err := read(body, &mail); err != nil {
		return err
	}
	key, err := idempotencyKey(c)
	if err != nil {
		return err
	}
	id, err := e.sendOne(c, mail, key, sha256.Sum256(body))
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, identified{ID: id})
}

// read reads JSON, and says what is wrong with it.
func read(body []byte, into any) error {
	err := json.Unmarshal(body, into)
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &wrong) && wrong.Field == "":
		return door.Refuse(422, "validation_error", "The body must not be %s.", wrong.Value)
	case errors.As(err, &wrong):
		return door.Refuse(422, "validation_error", "The field `%s` must not be %s.", wrong.Field, wrong.Value)
	case err != nil:
		return door.Refuse(http.StatusBadRequest, "validation_error", "The body is not JSON.")
	}
	return nil
}

// idempotencyKey is the key of a request, in a form that has room in ours; empty: there is none.
func idempotencyKey(c *door.Call) (string, error) {
	values, given := c.Header["Idempotency-Key"]
	if !given {
		return "", nil
	}
	if len(values) != 1 || values[0] == "" || len(values[0]) > maxPart {
		return "", door.Refuse(http.StatusBadRequest, "invalid_idempotency_key", "The idempotency key has 1 to 256 "+
			"characters.")
	}
	sum := sha256.Sum256([]byte(values[0]))
	return "resend " + c.Route.Path + " " + hex.EncodeToString(sum[:]), nil
}

// sendOne sends a message, and returns its id.
func (e *edge) sendOne(c *door.Call, mail email, key string, body [32]byte) (string, error) {
	d, err := draftOf(mail)
	if err != nil {
		return "", err
	}
	d.IdempotencyKey, d.NotTwice, d.Body = key, true, body
	again, err := e.svc.SentBefore(c.Context(), c.In, d)
	if again == nil && err == nil { // files that were fetched may be gone when a request is repeated
		d.Attachments, err = e.filesOf(c, mail.Attachments)
	}
	if err != nil {
		return "", err
	}
	sending, err := e.svc.Send(c.Context(), c.In, d)
	return sending.ID.String(), unverified(err, d.From)
}

// unverified says of an address that is not the mailbox's that its domain is not.
func unverified(err error, from string) error {
	if err != nil && mailbox.KindOf(err) == mailbox.Forbidden {
		return door.Refuse(http.StatusForbidden, "validation_error", "The %s domain is not verified. Please, add "+
			"and verify your domain.", domainOf(from))
	}
	return err
}

func domainOf(address string) string {
	_, domain, _ := strings.Cut(strings.TrimRight(strings.TrimSpace(address), ">"), "@")
	return domain
}

// draftOf is a message as the service takes it, without its attachments.
func draftOf(mail email) (d mailbox.Draft, err error) {
	switch {
	case mail.From == nil || strings.TrimSpace(*mail.From) == "":
		return d, missing("from")
	case len(mail.To) == 0:
		return d, missing("to")
	case len(mail.Template) > 0 && string(mail.Template) != "null":
		return d, door.Refuse(422, "validation_error", "Templates are not here; give html or text.")
	case mail.Subject == nil:
		return d, missing("subject")
	case mail.HTML == nil && mail.Text == nil:
		return d, door.Refuse(422, "missing_required_field", "Missing `html` or `text` field.")
	case len(mail.To) > 50:
		return d, door.Refuse(422, "validation_error", "`to` has at most 50 addresses.")
	}
	d = mailbox.Draft{From: *mail.From, To: mail.To, Cc: mail.Cc, Bcc: mail.Bcc, ReplyTo: mail.ReplyTo,
		Subject: *mail.Subject, AnyHeader: true, SkipSuppressed: true}
	if mail.Text != nil {
		d.Text, d.HasText = *mail.Text, *mail.Text != "" || mail.HTML == nil
	}
	if mail.HTML != nil {
		d.HTML, d.HasHTML = *mail.HTML, *mail.HTML != "" || mail.Text == nil
	}
	if d.Headers, err = headersOf(mail.Headers); err != nil {
		return d, err
	}
	if d.Tags, err = tagsOf(mail.Tags); err != nil {
		return d, err
	}
	if mail.ScheduledAt != nil {
		d.SendAt, err = scheduled(*mail.ScheduledAt)
	}
	return d, err
}

// aheadMost is how far ahead a message can be scheduled.
const aheadMost = 30 * 24 * time.Hour

func scheduled(text string) (time.Time, error) {
	at, ok := when(text, time.Now())
	if !ok {
		return at, door.Refuse(422, "validation_error", "`scheduled_at` is a time in ISO 8601, or words such as "+
			"\"in 1 hour\" or \"tomorrow at 9am\".")
	}
	if now := time.Now(); at.After(now.Add(aheadMost + time.Minute)) {
		return at, door.Refuse(http.StatusBadRequest, "validation_error", "`scheduled_at` is at most 30 days ahead.")
	} else if latest := now.Add(aheadMost - time.Second); at.After(latest) {
		at = latest // "in 30 days" by a clock that is ahead
	}
	return at, nil
}

func headersOf(given map[string]any) (list []mailbox.Field, err error) {
	for name, value := range given {
		switch value.(type) {
		case string, float64, bool:
			list = append(list, mailbox.Field{Name: name, Value: fmt.Sprint(value)})
		default:
			return nil, door.Refuse(422, "validation_error", "The header %s must be a string.", mailbox.Clip(name, 60))
		}
	}
	slices.SortFunc(list, func(a, b mailbox.Field) int { return strings.Compare(a.Name, b.Name) })
	return list, nil
}

// tagsOf gives tags as the service keeps them: name=value.
func tagsOf(given []tag) (list []string, err error) {
	if len(given) > maxTags {
		return nil, door.Refuse(422, "validation_error", "A message has at most %d tags.", maxTags)
	}
	for _, t := range given {
		for _, text := range []string{t.Name, t.Value} {
			if len(text) > maxPart || strings.ContainsFunc(text, func(r rune) bool {
				return !(r == '_' || r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z')
			}) {
				return nil, door.Refuse(422, "validation_error", "Tags should only contain ASCII letters, numbers, "+
					"underscores, or dashes, and at most %d of them.", maxPart)
			}
		}
		if t.Name == "" {
			return nil, door.Refuse(422, "validation_error", "A tag needs a name.")
		}
		list = append(list, t.Name+"="+t.Value)
	}
	return list, nil
}

// fetchMost is how long the files of one message may take to be fetched.
const fetchMost = 30 * time.Second

// filesOf reads the attachments, and fetches those that are somewhere else.
func (e *edge) filesOf(c *door.Call, given []file) (list []mailbox.Attachment, err error) {
	left := int64(maxMessage)
	ctx, done := context.WithTimeout(c.Context(), fetchMost)
	defer done()
	for _, f := range given {
		a := mailbox.Attachment{Filename: f.Filename, ContentType: f.ContentType, ContentID: f.ContentID}
		if a.ContentID == "" {
			a.ContentID = f.InlineID
		}
		a.ContentID = strings.Trim(a.ContentID, "<>")
		var content []byte
		switch {
		case len(f.Content) > 0 && string(f.Content) != "null":
			content, err = contentOf(f.Content)
		case f.Path != "":
			content, err = e.fetched(ctx, c.In, f.Path, left, &a)
		default:
			err = badFile("An attachment needs `content` or `path`.")
		}
		if left -= int64(len(content)); err == nil && left < 0 {
			err = badFile("The attachments are too large: at most 40 MB.")
		}
		if err != nil {
			return nil, err
		}
		if a.Filename == "" {
			a.Filename = "attachment"
		}
		a.Size = int64(len(content))
		a.Open = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(content)), nil }
		list = append(list, a)
	}
	return list, nil
}

func badFile(text string) error { return door.Refuse(422, "invalid_attachment", "%s", text) }

// fetched gets a file from its address, and names it after that where it has no name.
func (e *edge) fetched(ctx context.Context, in service.Access, address string, limit int64,
	a *mailbox.Attachment) ([]byte, error) {
	content, mediaType, err := e.svc.FetchFile(ctx, in, address, limit)
	if err != nil {
		return nil, err
	}
	if u, err := url.Parse(address); err == nil && a.Filename == "" && path.Base(u.Path) != "/" {
		a.Filename = path.Base(u.Path)
	}
	if name, _, err := mime.ParseMediaType(mediaType); err == nil && a.ContentType == "" {
		a.ContentType = name
	}
	return content, nil
}

// contentOf reads base64, or the bytes of a Buffer as JSON has it.
func contentOf(raw json.RawMessage) ([]byte, error) {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		text = strings.Map(func(r rune) rune {
			if r == '\n' || r == '\r' {
				return -1
			}
			return r
		}, text)
		if _, data, ok := strings.Cut(text, ";base64,"); ok && strings.HasPrefix(text, "data:") {
			text = data
		}
		b, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(text, "="))
		if err != nil {
			return nil, badFile("The content of an attachment must be base64.")
		}
		return b, nil
	}
	var buffer struct {
		Data []int `json:"data"`
	}
	if json.Unmarshal(raw, &buffer) != nil && json.Unmarshal(raw, &buffer.Data) != nil {
		return nil, badFile("The content of an attachment must be base64.")
	}
	b := make([]byte, len(buffer.Data))
	for i, n := range buffer.Data {
		if n < 0 || n > 255 {
			return nil, badFile("The content of an attachment must be bytes.")
		}
		b[i] = byte(n)
	}
	return b, nil
}

// batchFault is what was wrong with a message of a batch.
type batchFault struct {
	Index   int    `json:"index"`
	Message string `json:"message"`
}

func (e *edge) sendBatch(c *door.Call) error {
	body, err := c.Body(maxBody)
	if err != nil {
		return err
	}
	var given []json.RawMessage
	if err := read(body, &given); err != nil {
		return err
	}
	key, err := idempotencyKey(c)
	switch {
	case err != nil:
		return err
	case len(given) == 0 || len(given) > maxBatch:
		return door.Refuse(422, "validation_error", "A batch has 1 to %d messages.", maxBatch)
	}
	sum, permissive := sha256.Sum256(body), c.Header.Get("X-Batch-Validation") == "permissive"
	mails, wrong := make([]email, len(given)), make([]error, len(given))
	for i, one := range given {
		wrong[i] = read(one, &mails[i])
		if len(mails[i].Attachments) > 0 {
			wrong[i] = door.Refuse(422, "validation_error", "Message %d: attachments are not taken in a batch.", i)
			permissive = false
		}
		if wrong[i] != nil && !permissive {
			return wrong[i]
		}
	}
	if !permissive {
		if err := e.checkBatch(c, mails, key, sum); err != nil { // one is wrong: none is sent
			return err
		}
	}
	answer := struct {
		Data   []identified `json:"data"`
		Errors []batchFault `json:"errors,omitempty"`
	}{Data: []identified{}}
	for i, mail := range mails {
		id, err := "", wrong[i]
		if err == nil {
			id, err = e.sendOne(c, mail, keyOf(key, i), sum)
		}
		if status, _ := classify(err); err != nil && permissive && status < http.StatusInternalServerError &&
			!strings.HasPrefix(door.Code(err), "idempotency_") {
			answer.Errors = append(answer.Errors, batchFault{i, door.Message(err)})
			continue
		}
		if err != nil {
			return err
		}
		answer.Data = append(answer.Data, identified{ID: id})
	}
	return c.JSON(http.StatusOK, answer)
}

// keyOf is the Idempotency-Key of a message in a batch; empty: there is none.
func keyOf(key string, i int) string {
	if key == "" {
		return ""
	}
	return fmt.Sprintf("%s %d", key, i)
}

// checkBatch looks whether all messages of a batch can be sent.
func (e *edge) checkBatch(c *door.Call, mails []email, key string, sum [32]byte) error {
	drafts := make([]mailbox.Draft, len(mails))
	for i, mail := range mails {
		d, err := draftOf(mail)
		if err != nil {
			return err
		}
		d.IdempotencyKey, d.NotTwice, d.Body = keyOf(key, i), true, sum
		drafts[i] = d
	}
	if at, err := e.svc.MaySendAll(c.Context(), c.In, drafts); err != nil {
		return unverified(err, drafts[at].From)
	}
	return nil
}
