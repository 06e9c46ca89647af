package sender

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/dns"
)

// ErrUnsignable is for a mail that no signature would hold for: its header is not one that all readers read alike, or
// it has no From.
var ErrUnsignable = errors.New("mail cannot be signed")

const (
	maxSigningKeys = 4   // of a signer: two kinds, and two more while they are replaced
	maxSigning     = 200 // names of signed fields; the mail that we write has twenty
)

// signedField is a field that is signed wherever it is there.
type signedField struct {
	name string
	over bool // it is named once more than it is there, so that nobody can add another one (RFC 6376 8.15)
}

func signedFields() []signedField {
	return []signedField{
		{"From", true}, {"To", true}, {"Cc", false}, {"Subject", true}, {"Date", true}, {"Message-ID", true},
		{"Reply-To", true}, {"In-Reply-To", false}, {"References", false}, {"MIME-Version", false},
		{"Content-Type", false}, {"Content-Transfer-Encoding", false},
		{"List-Unsubscribe", false}, {"List-Unsubscribe-Post", false}, {"Auto-Submitted", false},
	}
}

// SigningKey is a key and the selector it is published under.
type SigningKey struct {
	Selector string
	Key      *Key
}

// Signer signs the mail of one domain, many at a time. Its keys do not change.
type Signer struct {
	domain string
	keys   []SigningKey
	fields []signedField
	recent *recentSignatures
}

// NewSigner returns a signer for a domain, which may be in Unicode. It signs with all of its keys, RSA before Ed25519:
// a verifier that looks at the first signature alone, and knows no other kind, finds one to check.
func NewSigner(domain string, keys ...SigningKey) (*Signer, error) {
	name, ok := dns.Domain(domain)
	if !ok {
		return nil, fmt.Errorf("signer: %q is no domain", domain)
	}
	if len(keys) == 0 || len(keys) > maxSigningKeys {
		return nil, fmt.Errorf("signer of %s: %d keys, not 1 to %d", name, len(keys), maxSigningKeys)
	}
	s := &Signer{domain: name, keys: slices.Clone(keys), fields: signedFields(), recent: new(recentSignatures)}
	seen := map[string]bool{}
	for i := range s.keys {
		k := &s.keys[i]
		at := "._domainkey." + name
		host, ok := dns.Domain(k.Selector + at)
		if !ok || k.Key == nil {
			return nil, fmt.Errorf("signer of %s: selector %q with %v", name, k.Selector, k.Key)
		}
		if k.Selector = strings.TrimSuffix(host, at); seen[host] {
			return nil, fmt.Errorf("signer of %s: selector %s has two keys", name, k.Selector)
		}
		seen[host] = true
	}
	slices.SortStableFunc(s.keys, func(a, b SigningKey) int { return cmp.Compare(b.Key.kind, a.Key.kind) })
	return s, nil
}

// Domain is the d= of the signatures, in ASCII.
func (s *Signer) Domain() string { return s.domain }

// Sign returns the DKIM-Signature fields that belong before a mail, each with its line ends. All lines of the mail end
// in CRLF. It is read once, in pieces. The error is [ErrUnsignable] or one of reading.
func (s *Signer) Sign(raw io.ReaderAt, size int64, now time.Time) ([]byte, error) {
	if size <= 0 {
		return nil, fmt.Errorf("%w: it is empty", ErrUnsignable)
	}
	h, err := readHead(raw, size)
	if err != nil {
		return nil, fmt.Errorf("read the header to sign: %w", err)
	}
	names, err := s.names(&h)
	if err != nil {
		return nil, err
	}
	bodyHash, err := hashToSign(raw, size, h)
	if err != nil {
		return nil, fmt.Errorf("read the body to sign: %w", err)
	}
	var signed bytes.Buffer
	h.hashFields(&signed, lowered(names), -1, true)
	return s.recent.of(signatureOf(names, bodyHash, signed.Bytes()), now, func() ([]byte, error) {
		return s.signatures(names, bodyHash, signed.Bytes(), now)
	})
}

// signatures makes the fields from what they sign.
func (s *Signer) signatures(names []string, bodyHash string, signed []byte, now time.Time) (out []byte, err error) {
	for _, k := range s.keys {
		field := s.unsigned(k, names, bodyHash, now)
		sum := sha256.Sum256(canonField(slices.Clip(signed), field.text, true))
		value, err := k.Key.sign(sum)
		if err != nil {
			return nil, fmt.Errorf("sign with the %s key: %w", k.Key.kind, err)
		}
		field.fill(base64.StdEncoding.EncodeToString(value))
		out = append(append(out, field.text...), "\r\n"...)
	}
	return out, nil
}

// hashToSign is bh=. A body that ends before its time is not signed.
func hashToSign(raw io.ReaderAt, size int64, h head) (string, error) {
	size -= h.size
	body := &io.LimitedReader{R: io.NewSectionReader(raw, h.size, size), N: size}
	sums, err := hashBody(context.Background(), &strictLines{from: body}, h, size, false, true)
	if err == nil && body.N > 0 {
		err = io.ErrUnexpectedEOF
	}
	return base64.StdEncoding.EncodeToString(sums[1].hash), err
}

// strictLines refuses a body with a CR or LF that is not half of a line end. On the way some make line ends of those
// and some do not, so that no signature holds for all.
type strictLines struct {
	from io.Reader
	cr   bool // the last byte was one
}

func (l *strictLines) Read(b []byte) (int, error) {
	n, err := l.from.Read(b)
	for _, c := range b[:n] {
		if l.cr != (c == '\n') {
			return 0, fmt.Errorf("%w: a line does not end in CRLF", ErrUnsignable)
		}
		l.cr = c == '\r'
	}
	if err == io.EOF && l.cr {
		return n, fmt.Errorf("%w: it ends in half a line end", ErrUnsignable)
	}
	return n, err
}

// names are those of the fields to sign, as h= lists them.
func (s *Signer) names(h *head) ([]string, error) {
	switch {
	case h.broken:
		return nil, fmt.Errorf("%w: its header is too long or not well-formed", ErrUnsignable)
	case h.bareLF:
		return nil, fmt.Errorf("%w: its lines do not end in CRLF", ErrUnsignable)
	case h.count("from") == 0:
		return nil, fmt.Errorf("%w: it has no From", ErrUnsignable)
	}
	var names []string
	for _, f := range s.fields {
		n := h.count(strings.ToLower(f.name))
		if f.over {
			n++
		}
		if len(names)+n > maxSigning {
			return nil, fmt.Errorf("%w: it has too many fields of the same name", ErrUnsignable)
		}
		names = append(names, slices.Repeat([]string{f.name}, n)...)
	}
	return names, nil
}

func lowered(names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = strings.ToLower(name)
	}
	return out
}

// unsigned is the field up to its b=, which is empty: that is how it is signed itself (RFC 6376 3.7).
func (s *Signer) unsigned(k SigningKey, names []string, bodyHash string, now time.Time) *foldedField {
	f := newFoldedField("DKIM-Signature:")
	for _, tag := range []string{
		"v=1", "a=" + k.Key.kind + "-sha256", "c=relaxed/relaxed", "d=" + s.domain, "s=" + k.Selector,
		"t=" + strconv.FormatInt(now.Unix(), 10),
	} {
		f.add(" ", tag+";")
	}
	before, blank := "h=", " "
	for i, name := range names {
		after := ":"
		if i == len(names)-1 {
			after = ";"
		}
		f.add(blank, before+name+after)
		before, blank = "", ""
	}
	f.add(" ", "bh="+bodyHash+";")
	f.add(" ", "b=")
	return f
}
