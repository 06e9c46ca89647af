package test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
)

// largeMail is a message with an attachment of a given number of random bytes, which do not compress. The seed chooses
// them.
func largeMail(subject string, size int, seed uint64) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "From: a@example.org\r\nSubject: %s\r\nMessage-ID: <%s-%d@example.org>\r\nMIME-Version: 1.0\r\n"+
		"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nSee the file.\r\n"+
		"--b\r\nContent-Type: application/octet-stream\r\nContent-Disposition: attachment; filename=random.bin\r\n"+
		"Content-Transfer-Encoding: base64\r\n\r\n", subject, subject, seed)
	writeBase64(&b, randomBytes(size, seed))
	b.WriteString("--b--\r\n")
	return b.Bytes()
}

func randomBytes(size int, seed uint64) []byte {
	var key [32]byte
	for i := range 8 {
		key[i] = byte(seed >> (8 * i))
	}
	data := make([]byte, size)
	_, _ = rand.NewChaCha8(key).Read(data) // never fails
	return data
}

// writeBase64 writes lines of 76 characters.
func writeBase64(b *bytes.Buffer, data []byte) {
	const line = 57
	for len(data) > 0 {
		n := min(line, len(data))
		b.WriteString(base64.StdEncoding.EncodeToString(data[:n]))
		b.WriteString("\r\n")
		data = data[n:]
	}
}

// pour delivers messages over several connections at the same time and wants all of them to be stored.
func (b box) pour(t testing.TB, count int, message func(n int) []byte) {
	t.Helper()
	const sessions = 8
	var sending sync.WaitGroup
	for i := range sessions {
		s := open(t, b.srv.smtp)
		sending.Go(func() {
			for n := i; n < count; n += sessions {
				r, err := s.send(envelope{from: "a@example.org", to: []string{b.address}}, message(n), byDATA)
				if err != nil || r.code != 250 {
					t.Errorf("message %d: %v %v", n, r, err)
					return
				}
			}
		})
	}
	sending.Wait()
}
