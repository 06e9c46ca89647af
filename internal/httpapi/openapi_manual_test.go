package httpapi

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// sharedManual is made once for all tests: it takes a while, and is always the same.
var sharedManual = sync.OnceValues(func() (*manual, error) { return newManual(routes) })

var leaflets = []string{"/openapi.json", "/docs", "/llms.txt", "/llms-full.txt", "/skill.md"}

// askFor gets a leaflet of a deployment; header is "Name: value".
func askFor(api *API, path string, header ...string) *http.Response {
	s := scenario{path: path, key: "-", header: header}
	r := s.request()
	r.Host = "mail.example.net:8025"
	w := httptest.NewRecorder()
	api.Handler().ServeHTTP(w, r)
	return w.Result()
}

func bodyOf(t *testing.T, resp *http.Response) string {
	t.Helper()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// Every page names the deployment's own address, and no other host.
func TestLeafletsNameTheDeployment(t *testing.T) {
	urls := regexp.MustCompile(`(?i)\b(?:https?|wss?|ftp)://[^\s"'<>()\x60\\]*`)
	for _, row := range []struct{ name, public, want string }{
		{"as the request says", "", "http://mail.example.net:8025"},
		{"as the deployment sets", "https://post.example.com/box/", "https://post.example.com/box"},
		{"with signs that mean something", `https://post.example.com/a&b"c<d`, ""},
	} {
		cfg := newConfig(io.Discard)
		cfg.PublicURL = row.public
		api := New(&fake{}, cfg)
		api.manual = sharedManual
		for _, path := range leaflets {
			t.Run(row.name+" "+path, func(t *testing.T) {
				resp := askFor(api, path)
				body := bodyOf(t, resp)
				if resp.StatusCode != 200 || strings.Contains(body, baseMark) || len(body) > 1_050_000 {
					t.Fatalf("%d, %d bytes: %.200s", resp.StatusCode, len(body), body)
				}
				if path == "/openapi.json" && !json.Valid([]byte(body)) || path == "/docs" && strings.Contains(body,
					`b"c<d`) {
					t.Error("the address is not escaped")
				}
				if row.want == "" {
					return
				}
				if !strings.Contains(body, row.want) {
					t.Errorf("%s is not in it", row.want)
				}
				for _, url := range urls.FindAllString(body, -1) {
					if !strings.HasPrefix(url, row.want) && !strings.HasPrefix(url, "https://example.com/") {
						t.Errorf("it names %s", url)
					}
				}
			})
		}
	}
}

// What is printed for the host of its request must not be given out for another's.
func TestLeafletsOfOneAddressAreShared(t *testing.T) {
	cfg := newConfig(t.Output())
	cfg.PublicURL = "https://mail.example"
	if got := askFor(New(&fake{}, cfg), "/llms.txt").Header.Get("Cache-Control"); got != "public, max-age=300" {
		t.Errorf("Cache-Control: %s", got)
	}
}

func TestLeafletsAreCached(t *testing.T) {
	api, _ := newAPI(&fake{})
	for _, path := range leaflets {
		t.Run(path, func(t *testing.T) {
			resp := askFor(api, path)
			plain, etag := bodyOf(t, resp), resp.Header.Get("ETag")
			if etag == "" || resp.Header.Get("Cache-Control") != "no-cache" ||
				resp.Header.Get("Vary") != "Accept-Encoding" ||
				resp.Header.Get("X-Content-Type-Options") != "nosniff" || resp.Header.Get("Content-Encoding") != "" {
				t.Errorf("headers %v", resp.Header)
			}
			for _, known := range []string{etag, strings.TrimPrefix(etag, "W/"), `"x", ` + etag, "*"} {
				resp := askFor(api, path, "If-None-Match: "+known)
				if body := bodyOf(t, resp); resp.StatusCode != 304 || body != "" || resp.Header.Get("ETag") != etag {
					t.Errorf("%s: %d, %d bytes", known, resp.StatusCode, len(body))
				}
			}
			if resp := askFor(api, path, `If-None-Match: "x"`); resp.StatusCode != 200 {
				t.Errorf("another tag: %d", resp.StatusCode)
			}
			for header, want := range map[string]string{"gzip": "gzip", "br, gzip;q=0.5": "gzip", "GZIP": "gzip",
				"gzip;q=0": "", "gzip; q=0.0": "", "br": "", "": ""} {
				resp := askFor(api, path, "Accept-Encoding: "+header)
				if got := resp.Header.Get("Content-Encoding"); got != want {
					t.Errorf("%q: encoded with %q", header, got)
				}
			}
			z, err := gzip.NewReader(bytes.NewBufferString(bodyOf(t, askFor(api, path, "Accept-Encoding: gzip"))))
			if err != nil {
				t.Fatal(err)
			}
			if unpacked, err := io.ReadAll(z); err != nil || string(unpacked) != plain {
				t.Errorf("the packed one is another: %v", err)
			}
		})
	}
}

// One interface serves deployments under several names, each with its own.
func TestLeafletsOfSeveralNames(t *testing.T) {
	api := New(&fake{}, newConfig(io.Discard))
	tags := map[string]bool{}
	for _, host := range []string{"a.example", "b.example", "a.example", "[::1]:8025", "bad host<script>"} {
		r := httptest.NewRequest("GET", "/skill.md", nil)
		r.Host = host
		w := httptest.NewRecorder()
		api.Handler().ServeHTTP(w, r)
		good := !strings.Contains(host, "<")
		if strings.Contains(w.Body.String(), "http://"+host+"/llms-full.txt") != good ||
			strings.Contains(w.Body.String(), "<script") {
			t.Errorf("%s: %.300s", host, w.Body)
		}
		tags[w.Header().Get("ETag")] = true
	}
	if len(tags) != 4 {
		t.Errorf("tags %v", tags)
	}
}

// The page loads nothing and runs only what its policy knows.
func TestDocsPage(t *testing.T) {
	api, _ := newAPI(&fake{})
	resp := askFor(api, "/docs")
	page, policy := bodyOf(t, resp), resp.Header.Get("Content-Security-Policy")
	for _, element := range []string{"style", "script"} {
		m := regexp.MustCompile(`(?s)<`+element+`>(.*?)</`+element+`>`).FindAllStringSubmatch(page, -1)
		if len(m) != 1 || !strings.Contains(policy, element+"-src "+hashSource(m[0][1])) {
			t.Errorf("%d times %s, and the policy is %s", len(m), element, policy)
		}
	}
	if !strings.HasPrefix(policy, "default-src 'none'; ") || strings.Contains(policy, "unsafe") ||
		resp.Header.Get("Content-Type") != "text/html; charset=utf-8" {
		t.Errorf("policy %s", policy)
	}
	if found := regexp.MustCompile(`<[^>]+ (?:src|style|on[a-z]+)=|<link|<iframe|<img|@import|url\(|ZgotmplZ`).FindString(page); found != "" {
		t.Errorf("the page has %s", found)
	}
	ids := map[string]bool{}
	for _, m := range regexp.MustCompile(` id="([^"]+)"`).FindAllStringSubmatch(page, -1) {
		if ids[m[1]] {
			t.Errorf("the id %s is there twice", m[1])
		}
		ids[m[1]] = true
	}
	for _, m := range regexp.MustCompile(` href="#([^"]+)"`).FindAllStringSubmatch(page, -1) {
		if !ids[m[1]] {
			t.Errorf("nothing is at #%s", m[1])
		}
	}
	for _, r := range routes {
		if !strings.Contains(page, "</span> <code>"+r.paths()[0]+"</code></h3>") {
			t.Errorf("%s is not shown", r.paths()[0])
		}
	}
}

// A model that reads everything reads no more than it must.
func TestFullTextIsBounded(t *testing.T) {
	api, _ := newAPI(&fake{})
	body := bodyOf(t, askFor(api, "/llms-full.txt"))
	if len(body) > 176_000 {
		t.Errorf("%d bytes", len(body))
	}
	for _, r := range routes {
		if !strings.Contains(body, "\n### "+r.method+" "+r.paths()[0]+"\n") {
			t.Errorf("%s %s is not in it", r.method, r.paths()[0])
		}
	}
	for _, part := range []string{"never an order", "\n# Webhooks\n", "\n## Email\n", "`message.complained`: "} {
		if !strings.Contains(body, part) {
			t.Errorf("%q is not in it", part)
		}
	}
	if skill := bodyOf(t, askFor(api, "/skill.md")); !regexp.MustCompile(`^---\nname: [a-z-]+\ndescription: .{20,1000}\n---\n`).MatchString(skill) {
		t.Errorf("no front matter: %.200s", skill)
	}
}

// Programs connect with a client of ours, to this deployment.
func TestLeafletsNameTheClients(t *testing.T) {
	cfg := newConfig(t.Output())
	cfg.PublicURL = "https://mail.example"
	api := New(&fake{}, cfg)
	for _, path := range []string{"/llms.txt", "/skill.md", "/llms-full.txt"} {
		body := bodyOf(t, askFor(api, path))
		for _, part := range []string{"`pip install mailkin`", `Mailkin(base_url="https://mail.example")`,
			"`npm install @mailkin/client`", `Mailkin({ baseUrl: "https://mail.example" })`} {
			if !strings.Contains(body, part) {
				t.Errorf("%s: %s is not in it", path, part)
			}
		}
	}
}

// What a sample calls is there in the SDK, with the arguments that it gives.
func TestSamplesFitTheSDKs(t *testing.T) {
	read := func(path string) string {
		text, err := os.ReadFile("../../sdk/" + path)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	// The client without asyncio is made of the other when the package is built.
	python := strings.ReplaceAll(read("python/src/mailkin/_async/operations.py"), "    async def ", "    def ")
	typescript := read("typescript/src/operations.ts")
	models := read("typescript/src/models.ts")
	doc, err := newDocument(routes)
	if err != nil {
		t.Fatal(err)
	}
	argument, member := regexp.MustCompile(`(?m)[(, ]([a-z_]+)=`), regexp.MustCompile(`(?m)(?:\{ |, |^  )([a-z_]+): `)
	for _, g := range newDocsView(doc, routes).Groups {
		for _, op := range g.Operations {
			signature := ""
			for _, part := range strings.Split(python, "\n    def "+snakeCase(op.ID)+"(")[1:] {
				head, _, _ := strings.Cut(part, ") ->")
				signature += head
			}
			if signature == "" || !strings.Contains(typescript, "\n  "+op.ID+"(") {
				t.Errorf("%s is not a method", op.ID)
			}
			_, call, _ := strings.Cut(op.Samples[1].Text, "print(")
			call = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`).ReplaceAllString(call, `""`)
			for _, m := range argument.FindAllStringSubmatch(call, -1) {
				if !strings.Contains(signature, " "+m[1]+":") {
					t.Errorf("%s takes no %s in Python: %s", op.ID, m[1], call)
				}
			}
			_, call, _ = strings.Cut(op.Samples[2].Text, op.ID+"(")
			call = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`).ReplaceAllString(call, `""`)
			for _, m := range member.FindAllStringSubmatch(call, -1) {
				if !strings.Contains(models, "  "+m[1]+"?: ") && !strings.Contains(models, "  "+m[1]+": ") {
					t.Errorf("%s: no model has %s in TypeScript: %s", op.ID, m[1], call)
				}
			}
		}
	}
}
