package httpapi

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

// manual is what the service says about itself. It is made at its first use: most processes are never asked.
type manual struct {
	openapi, docs, llms, full, skill *leaflet
}

// baseMark stands for the deployment's own address until a leaflet is printed.
const baseMark = "{base}"

func newManual(routes []route) (*manual, error) {
	doc, err := newDocument(routes)
	if err != nil {
		return nil, fmt.Errorf("describe the interface: %w", err)
	}
	document, err := encodeDocument(doc)
	if err != nil {
		return nil, err
	}
	view := newDocsView(doc, routes)
	page, policy, err := docsPage(view)
	if err != nil {
		return nil, fmt.Errorf("make the page: %w", err)
	}
	full, err := fullText(view)
	if err != nil {
		return nil, fmt.Errorf("make the text: %w", err)
	}
	return &manual{
		openapi: newLeaflet("application/json", document, escapeJSON),
		docs:    newLeaflet("text/html; charset=utf-8", page, template.HTMLEscapeString).under(policy),
		llms:    newLeaflet("text/plain; charset=utf-8", llmsText, asIs),
		full:    newLeaflet("text/plain; charset=utf-8", full, asIs),
		skill:   newLeaflet("text/markdown; charset=utf-8", skillText, asIs),
	}, nil
}

func encodeDocument(doc node) (string, error) {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	err := enc.Encode(doc)
	return b.String(), err
}

func asIs(s string) string { return s }

func escapeJSON(s string) string {
	quoted, err := json.Marshal(s)
	if err != nil {
		return ""
	}
	return string(quoted[1 : len(quoted)-1])
}

// leaflet is a text that names the deployment's address here and there.
type leaflet struct {
	contentType string
	policy      string                   // Content-Security-Policy
	pieces      []string                 // between which the address stands
	escape      func(base string) string // as such a text needs it

	mu   sync.Mutex
	last *printed // the one for the client that came last: mostly everybody comes by the same address
}

// printed is a leaflet as it is sent.
type printed struct {
	base          string
	etag          string
	plain, packed []byte
}

func newLeaflet(contentType, text string, escape func(string) string) *leaflet {
	return &leaflet{contentType: contentType, policy: "default-src 'none'; sandbox",
		pieces: strings.Split(text, baseMark), escape: escape}
}

func (l *leaflet) under(policy string) *leaflet {
	l.policy = policy
	return l
}

// print returns the leaflet of a deployment at an address.
func (l *leaflet) print(base string) (*printed, error) {
	l.mu.Lock()
	p := l.last
	l.mu.Unlock()
	if p != nil && p.base == base {
		return p, nil
	}
	plain := []byte(strings.Join(l.pieces, l.escape(base)))
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write(plain); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	sum := sha256.Sum256(plain)
	p = &printed{base: base, etag: `W/"` + hex.EncodeToString(sum[:8]) + `"`, plain: plain, packed: packed.Bytes()}
	l.mu.Lock()
	l.last = p
	l.mu.Unlock()
	return p, nil
}

func (a *API) openapi(c *call) error {
	return a.handOut(c, func(m *manual) *leaflet { return m.openapi })
}
func (a *API) docs(c *call) error { return a.handOut(c, func(m *manual) *leaflet { return m.docs }) }
func (a *API) llms(c *call) error { return a.handOut(c, func(m *manual) *leaflet { return m.llms }) }
func (a *API) llmsFull(c *call) error {
	return a.handOut(c, func(m *manual) *leaflet { return m.full })
}
func (a *API) skill(c *call) error { return a.handOut(c, func(m *manual) *leaflet { return m.skill }) }

// handOut answers a leaflet of the manual, with the address that the deployment sets or the request came by.
func (a *API) handOut(c *call, pick func(*manual) *leaflet) error {
	m, err := a.manual()
	if err != nil {
		return err
	}
	l := pick(m)
	p, err := l.print(a.address(c.Request, ""))
	if err != nil {
		return fmt.Errorf("print: %w", err)
	}
	h := c.out.Header()
	h.Set("Content-Type", l.contentType)
	h.Set("Content-Security-Policy", l.policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", a.leafletCache())
	h.Set("Vary", "Accept-Encoding")
	h.Set("ETag", p.etag)
	body := p.plain
	switch {
	case knows(c.Header, p.etag):
		c.out.WriteHeader(http.StatusNotModified)
		return nil
	case takesGzip(c.Header):
		h.Set("Content-Encoding", "gzip")
		body = p.packed
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	c.out.WriteHeader(http.StatusOK)
	_, _ = c.out.Write(body) // a client that is gone is nobody's error
	return nil
}

// leafletCache is how long a leaflet may be kept. One that is printed for the host of its request must not be given to
// another's.
func (a *API) leafletCache() string {
	if a.public == "" {
		return "no-cache" // it may be kept, and asked about by its ETag
	}
	return "public, max-age=300"
}

// knows tells whether the client has this already.
func knows(h http.Header, etag string) bool {
	for _, line := range h["If-None-Match"] {
		for known := range strings.SplitSeq(line, ",") {
			if known = strings.TrimSpace(known); known == "*" ||
				strings.TrimPrefix(known, "W/") == strings.TrimPrefix(etag, "W/") {
				return true
			}
		}
	}
	return false
}

// takesGzip tells whether the client reads gzip. A weight of zero is a no (RFC 9110 12.5.3).
func takesGzip(h http.Header) bool {
	for _, line := range h["Accept-Encoding"] {
		for coding := range strings.SplitSeq(line, ",") {
			name, weight, _ := strings.Cut(coding, ";")
			if strings.EqualFold(strings.TrimSpace(name), "gzip") {
				return strings.Trim(weight, " q=0.") != "" || strings.TrimSpace(weight) == ""
			}
		}
	}
	return false
}
