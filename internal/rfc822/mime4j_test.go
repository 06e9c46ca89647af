package rfc822

import (
	"bytes"
	"encoding/xml"
	"io"
	"mime"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/encoding/htmlindex"

	"github.com/mailkin/mailkin/internal/corpustest"
)

// The expectations of james-mime4j: for each message the events of its reader as XML, with the decoded bytes of
// every leaf in a file.

// mime4jLeaf is a leaf of the expected tree.
type mime4jLeaf struct {
	header map[string]string // raw values by lower-case name
	binary bool
	bytes  []byte
}

func TestMime4j(t *testing.T) {
	set := filepath.Join(corpustest.Dir(t), "mime", "james-mime4j")
	s := newScore(t)
	messages := expected(t, set)
	names := make([]string, 0, len(messages))
	for name := range messages {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		raw := readFile(t, filepath.Join(set, "files", name))
		for _, want := range messages[name] {
			if strings.HasSuffix(want, "_decoded.xml") {
				s.file = want
				root, leaves := readMime4j(t, filepath.Join(set, "files", want))
				compareMime4j(t, s, raw, root, leaves)
			}
		}
	}
	s.report(98)
}

// readMime4j reads the events: the fields of the top header and the leaves.
func readMime4j(t *testing.T, path string) (root [][2]string, leaves []mime4jLeaf) {
	t.Helper()
	text := strings.ToValidUTF8(string(readFile(t, path)), "\uFFFD")
	text = regexp.MustCompile("[\x00-\x08\x0b\x0c\x0e-\x1f]").ReplaceAllString(text, "")
	d := xml.NewDecoder(strings.NewReader(text))
	d.Strict = false
	var header map[string]string
	headers := 0
	for {
		tok, err := d.RawToken()
		if err == io.EOF {
			return root, leaves
		}
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		start, ok := tok.(xml.StartElement)
		if !ok {
			continue
		}
		switch start.Name.Local {
		case "header":
			header = map[string]string{}
			headers++
		case "field":
			tok, _ := d.RawToken()
			text, _ := tok.(xml.CharData)
			name, value, _ := strings.Cut(strings.TrimLeft(string(text), "\r\n"), ":")
			if key := strings.ToLower(strings.TrimSpace(name)); header[key] == "" {
				header[key] = strings.TrimSpace(value)
			}
			if headers == 1 {
				root = append(root, [2]string{name, words(value)})
			}
		case "text-body", "binary-body":
			file := filepath.Join(filepath.Dir(path), start.Attr[0].Value)
			leaves = append(leaves, mime4jLeaf{header, start.Name.Local == "binary-body", readFile(t, file)})
		}
	}
}

func compareMime4j(t *testing.T, s *score, raw []byte, root [][2]string, leaves []mime4jLeaf) {
	m := Parse(raw, Limits{})
	seen := map[string]bool{}
	for _, f := range root {
		name := strings.TrimSpace(f[0])
		key := strings.ToLower(name)
		if seen[key] {
			continue // Raw returns the first of several
		}
		seen[key] = true
		switch key {
		case "subject", "from", "to", "cc", "date", "message-id", "content-type":
			s.compare(key, f[1], words(strings.ToValidUTF8(m.Header.Raw(name), "\uFFFD")))
		}
	}
	var gotNames []string
	var contents [][]byte
	for _, p := range m.Parts {
		contents = append(contents, content(t, raw, p))
		if p.Filename != "" && !isMessage(p.ContentType) && p.Encoding != UUEncode {
			gotNames = append(gotNames, p.Filename)
		}
	}
	for _, l := range leaves {
		among := slices.ContainsFunc(contents, func(b []byte) bool { return bytes.Equal(b, l.bytes) })
		if name := l.filename(); name != "" && (among || l.binary) {
			s.check("name", slices.Contains(gotNames, name), name)
		}
		if l.binary {
			s.check("binary", among, "not among the parts: "+l.header["content-type"])
			continue
		}
		s.check("text", l.found(m, contents), "not found:\n"+string(l.bytes[:min(len(l.bytes), 400)])+"\nin:\n"+
			m.Text[:min(len(m.Text), 400)])
	}
}

// uuBlock is a uuencoded file inside a text, which the parser takes out of it.
var uuBlock = regexp.MustCompile(`(?ms)^begin [0-7]{3,4} \S+\r?$.*?^end\r?$`)

// found says whether a text has arrived: as a part, in the HTML, or in the text.
func (l mime4jLeaf) found(m *Message, contents [][]byte) bool {
	if slices.ContainsFunc(contents, func(b []byte) bool { return bytes.Equal(b, l.bytes) }) {
		return true
	}
	media, params, _ := mime.ParseMediaType(l.header["content-type"])
	text := string(l.bytes)
	if enc, err := htmlindex.Get(params["charset"]); err == nil {
		text, _ = enc.NewDecoder().String(text)
	} else {
		text = guessCharset(l.bytes)
	}
	if media == "text/html" {
		return strings.Contains(words(m.HTML), words(text))
	}
	text = uuBlock.ReplaceAllString(text, "")
	return strings.Contains(words(m.Text), words(text))
}

// filename is the name a part has by the standard library's reading.
func (l mime4jLeaf) filename() string {
	for field, key := range map[string]string{"content-disposition": "filename", "content-type": "name"} {
		_, params, err := mime.ParseMediaType(l.header[field])
		if err == nil && params[key] != "" {
			name, err := (&mime.WordDecoder{CharsetReader: charsetReader}).DecodeHeader(params[key])
			if err == nil {
				return SafeFilename(name)
			}
		}
	}
	return ""
}

func charsetReader(charset string, r io.Reader) (io.Reader, error) {
	enc, err := htmlindex.Get(charset)
	if err != nil {
		return nil, err
	}
	return enc.NewDecoder().Reader(r), nil
}
