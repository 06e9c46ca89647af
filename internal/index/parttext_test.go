package index_test

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// letterDOCX is a document with one paragraph.
func letterDOCX(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create("word/document.xml")
	if err == nil {
		_, err = w.Write([]byte(`<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>` + text + `</w:t></w:r></w:p></w:body></w:document>`))
	}
	if err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	return b.String()
}

func withFile(contentType, name, content string) string {
	return "From: ann@other.test\r\nTo: robin@example.test\r\nSubject: A file\r\nMIME-Version: 1.0\r\nContent-Type: " +
		"multipart/mixed; boundary=b\r\n\r\n" +
		"--b\r\n\r\nSee the file.\r\n--b\r\nContent-Type: " + contentType + "; name=" + name +
		"\r\nContent-Disposition: attachment; filename=" + name +
		"\r\nContent-Transfer-Encoding: base64\r\n\r\n" + base64.StdEncoding.EncodeToString([]byte(content)) +
		"\r\n--b--\r\n"
}

func TestTextOfAttachments(t *testing.T) {
	k := newService(t)
	b := k.permanent("robin")
	for _, tt := range []struct{ name, raw, status, text string }{
		{"csv", withFile("text/csv", "a.csv", "name,amount\nKim,12\n"), "done", "Kim"},
		{"docx", withFile("application/octet-stream", "a.docx", letterDOCX(t, "Dear Kim")), "done", "Dear Kim"},
		{"picture", withFile("image/png", "a.png", "\x89PNG"), "unsupported", ""},
		{"broken docx", withFile("application/octet-stream", "a.docx", "PK\x03\x04 and nothing"), "failed", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			id := k.receive(tt.raw, "robin@example.test")[0].ID
			got := mailbox.PartText{Status: "pending"}
			for range 100 { // what takes long is pending first
				if got = b.message(id).Detail.Texts[1]; got.Status != "pending" {
					break
				}
			}
			if got.Status != tt.status || !strings.Contains(got.Text, tt.text) {
				t.Errorf("got %+v", got)
			}
		})
	}
}

// A temporary mailbox is shown no text of attachments.
func TestTextOfAttachmentsIsNotForAll(t *testing.T) {
	k := newService(t)
	b := k.provisional("agent-000000000000")
	id := k.receive(withFile("text/csv", "a.csv", "name,amount\n"), b.Address)[0].ID
	m, err := k.svc.Message(t.Context(), b.read(), id, service.MessageOptions{})
	if err != nil || len(m.Detail.Texts) != 0 {
		t.Errorf("got %+v, %v", m.Detail.Texts, err)
	}
}
