package wire

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// ProviderMail is a message as the provider Resend takes it.
type ProviderMail struct {
	From        string            `json:"from"`
	To          []string          `json:"to"`
	ReplyTo     []string          `json:"reply_to,omitempty"`
	Subject     string            `json:"subject"`
	Text        string            `json:"text,omitempty"`
	HTML        string            `json:"html,omitempty"`
	Headers     map[string]string `json:"headers,omitempty"`
	Attachments []ProviderFile    `json:"-"`
}

// ProviderFile is an attachment of it.
type ProviderFile struct {
	Filename    string                        `json:"filename"`
	ContentType string                        `json:"content_type,omitempty"`
	ContentID   string                        `json:"content_id,omitempty"`
	Open        func() (io.ReadCloser, error) `json:"-"`
}

// ProviderAnswer is what that provider answers: an id, or what is wrong.
type ProviderAnswer struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Message string `json:"message"`
}

// WriteProviderMail writes a message for that provider. Attachments are encoded as they are written.
func WriteProviderMail(w io.Writer, m ProviderMail) error {
	head, err := json.Marshal(m)
	if err != nil {
		return err
	}
	if len(m.Attachments) == 0 {
		_, err = w.Write(head)
		return err
	}
	if _, err := fmt.Fprintf(w, `%s,"attachments":[`, head[:len(head)-1]); err != nil {
		return err
	}
	for i, f := range m.Attachments {
		if i > 0 {
			if _, err := io.WriteString(w, ","); err != nil {
				return err
			}
		}
		if err := f.write(w); err != nil {
			return err
		}
	}
	_, err = io.WriteString(w, "]}")
	return err
}

func (f ProviderFile) write(w io.Writer) (err error) {
	head, err := json.Marshal(f)
	if err != nil {
		return err
	}
	content, err := f.Open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, content.Close()) }()
	if _, err := fmt.Fprintf(w, `%s,"content":"`, head[:len(head)-1]); err != nil {
		return err
	}
	encoder := base64.NewEncoder(base64.StdEncoding, w)
	if _, err := io.Copy(encoder, content); err != nil {
		return err
	}
	if err := encoder.Close(); err != nil {
		return err
	}
	_, err = io.WriteString(w, `"}`)
	return err
}
