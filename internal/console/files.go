package console

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"html"
	"io/fs"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"
)

//go:generate ../../tools/console.sh

// web is what is handed out. The scripts are one file, so that a slow line waits once; go generate makes it.
//
//go:embed web/*.html web/icon.svg web/leave.js web/style web/app/console.js web/vendor/lit.LICENSE.txt
var web embed.FS

// files is everything that is handed out.
type files struct {
	digest    string // of all of them
	smtp      string // where mail is taken, for the page to tell
	provider  string // at which people sign in
	byName    map[string]*file
	documents map[string]document // by their path under /console
	places    []document          // the console itself, by the number of segments in its address
}

// document is a file that a person opens, with its policy.
type document struct {
	*file
	policy string
}

// newFiles reads the files that are part of the program. What is wrong with them, every test sees.
func newFiles(smtp, provider string) *files {
	f := &files{byName: map[string]*file{}, smtp: smtp, provider: provider}
	sum := sha256.New()
	// they are in memory: nothing can fail
	_ = fs.WalkDir(web, "web", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := web.ReadFile(name)
		sum.Write(b)
		f.byName[strings.TrimPrefix(name, "web/")] = newFile(name, b)
		return err
	})
	f.byName["style.css"] = newFile("style.css", f.styles()) // one request, and what is seen first waits for it
	f.digest = hex.EncodeToString(sum.Sum(nil)[:8])
	f.documents = map[string]document{
		"":              {f.page("index.html", strings.TrimPrefix(Prefix, "/")+f.under()), pagePolicy},
		"/leave":        {f.page("leave.html", strings.TrimPrefix(f.under(), "/")), leavePolicy},
		"/frame":        {f.byName["frame.html"], framePolicy},
		"/frame/remote": {f.byName["frame.html"], remotePolicy},
	}
	for depth := range deepest + 1 {
		base := strings.Repeat("../", depth) + strings.TrimPrefix(Prefix, "/") + f.under()
		f.places = append(f.places, document{f.page("index.html", base), pagePolicy})
	}
	return f
}

// deepest is how many segments an address inside the console has: m, mailbox, page, id.
const deepest = 4

// place finds the document for an address inside the console, such as /console/m/{mailbox}/inbox: it is the same for
// all of them, and the script in it reads the address. Where the files are depends on how deep the address is.
func (f *files) place(escaped string) (document, bool) {
	_, inside, _ := strings.Cut(escaped, Prefix+"/")
	depth := strings.Count(inside, "/") + 1
	if strings.HasPrefix(inside, "files/") || depth > deepest {
		return document{}, false
	}
	return f.places[depth], true
}

// styles are all style sheets, one after the other.
func (f *files) styles() []byte {
	var all []byte
	for _, name := range []string{"base", "shell", "mail", "parts"} {
		all = append(all, f.byName["style/"+name+".css"].plain...)
	}
	return all
}

// under is where the files are served, for as long as none of them changes.
func (f *files) under() string { return "/files/" + f.digest + "/" }

// page fills in a document where the files are, seen from where it is served, where mail is taken, and where people
// sign in.
func (f *files) page(name, base string) *file {
	text := strings.ReplaceAll(string(f.byName[name].plain), "SMTP", f.smtp)
	text = strings.ReplaceAll(text, "PROVIDER", html.EscapeString(f.provider))
	return newFile(name, []byte(strings.ReplaceAll(text, "files/", base)))
}

// file is one of them, plain and compressed.
type file struct {
	kind  string // media type
	tag   string
	plain []byte
	small func() []byte // compressed, at the first request
}

func newFile(name string, b []byte) *file {
	sum := sha256.Sum256(b)
	return &file{
		kind: kindOf(name), plain: b, tag: `"` + hex.EncodeToString(sum[:8]) + `"`,
		small: sync.OnceValue(func() []byte { return compress(b) }),
	}
}

// kindOf is a file's media type, whatever the machine's own table says.
func kindOf(name string) string {
	return map[string]string{".html": "text/html", ".css": "text/css", ".js": "text/javascript",
		".svg": "image/svg+xml", ".txt": "text/plain"}[path.Ext(name)] +
		"; charset=utf-8"
}

func compress(b []byte) []byte {
	var out bytes.Buffer
	w, _ := gzip.NewWriterLevel(&out, gzip.BestCompression) // a level that exists
	_, _ = w.Write(b)                                       // a buffer takes everything
	_ = w.Close()
	return out.Bytes()
}

// serve writes a file, unless the client has it.
func (f *file) serve(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("ETag", f.tag)
	h.Set("Vary", "Accept-Encoding")
	if strings.Contains(r.Header.Get("If-None-Match"), f.tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	body := f.plain
	if takesGzip(r.Header.Values("Accept-Encoding")) {
		h.Set("Content-Encoding", "gzip")
		body = f.small()
	}
	h.Set("Content-Type", f.kind)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(http.StatusOK)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body)
	}
}

// takesGzip tells whether a client says that it reads what is compressed: with a weight of 0 it says the opposite.
func takesGzip(accept []string) bool {
	takes := false
	for _, one := range strings.Split(strings.Join(accept, ","), ",") {
		coding, weight, weighed := strings.Cut(one, ";")
		coding = strings.ToLower(strings.TrimSpace(coding))
		if coding != "gzip" && coding != "*" {
			continue
		}
		ok := true
		if weighed {
			name, q, _ := strings.Cut(weight, "=")
			value, err := strconv.ParseFloat(strings.TrimSpace(q), 64)
			ok = strings.EqualFold(strings.TrimSpace(name), "q") && err == nil && value > 0
		}
		if coding == "gzip" {
			return ok // its own word counts more than that for all
		}
		takes = ok
	}
	return takes
}
