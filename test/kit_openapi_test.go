package test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// contract is what /openapi.json agreed. Everything that the kit asks and is answered is held against it.
type contract struct {
	doc   map[string]any
	paths []promisedPath

	mu       sync.Mutex // over what follows
	compiler *jsonschema.Compiler
	schemas  map[string]*jsonschema.Schema // by where they stand in the document
}

// promisedPath is a path of the document.
type promisedPath struct {
	segments []string
	where    string // in the document
	methods  map[string]any
}

// agreed is the contract of this process.
var agreed struct {
	once     sync.Once
	contract atomic.Pointer[contract] // nil: nothing was asked yet
	err      error
}

// promised returns the contract. It is that of a server of its own, so that no server that is measured has to answer
// for it.
func promised(t testing.TB) (*contract, error) {
	agreed.once.Do(func() {
		srv := newServer(t)
		srv.start(t)
		defer srv.stop(t)
		resp, err := http.Get(srv.http + "/openapi.json")
		if err != nil {
			agreed.err = err
			return
		}
		defer resp.Body.Close()
		read, err := readContract(resp.Body)
		agreed.contract.Store(read)
		agreed.err = err
	})
	return agreed.contract.Load(), agreed.err
}

func readContract(from io.Reader) (*contract, error) {
	doc, err := jsonschema.UnmarshalJSON(from)
	if err != nil {
		return nil, fmt.Errorf("read the contract: %w", err)
	}
	c := &contract{compiler: jsonschema.NewCompiler(), schemas: map[string]*jsonschema.Schema{}}
	c.doc, _ = doc.(map[string]any)
	if err := c.compiler.AddResource("contract.json", doc); err != nil {
		return nil, err
	}
	paths, _ := c.doc["paths"].(map[string]any)
	for path, methods := range paths {
		methods, _ := methods.(map[string]any)
		c.paths = append(c.paths, promisedPath{strings.Split(path, "/"), "/paths/" + pointer(path), methods})
	}
	if len(c.paths) == 0 {
		return nil, errors.New("the contract has no paths")
	}
	return c, nil
}

// pointer writes a name as a part of a JSON pointer in an address.
func pointer(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D").Replace(name)
}

// fits holds a value against a schema of the document.
func (c *contract) fits(where string, value any) error {
	c.mu.Lock()
	schema := c.schemas[where]
	if schema == nil {
		var err error
		if schema, err = c.compiler.Compile("contract.json#" + where); err != nil {
			c.mu.Unlock()
			return err
		}
		c.schemas[where] = schema
	}
	c.mu.Unlock()
	return schema.Validate(value)
}

// fitsJSON does so with a JSON text.
func (c *contract) fitsJSON(where string, text []byte) error {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return fmt.Errorf("not JSON: %w", err)
	}
	return c.fits(where, value)
}

// follow returns what stands at a place of the document, which may be a reference, and the place itself.
func (c *contract) follow(where string, value any) (string, map[string]any) {
	o, _ := value.(map[string]any)
	target, isRef := o["$ref"].(string)
	if !isRef {
		return where, o
	}
	where = strings.TrimPrefix(target, "#")
	var at any = c.doc
	for _, name := range strings.Split(where[1:], "/") {
		o, _ := at.(map[string]any)
		at = o[name]
	}
	o, _ = at.(map[string]any)
	return where, o
}

// find returns the operation of a request, nil if there is none; /api is another name of /v1.
func (c *contract) find(method string, u *url.URL) (where string, operation map[string]any) {
	path := u.Path
	if rest, ok := strings.CutPrefix(path, "/api/"); ok {
		path = "/v1/" + rest
	}
	if method == http.MethodHead {
		method = http.MethodGet
	}
	method = strings.ToLower(method)
	segments := strings.Split(path, "/")
	variable := false
	for _, p := range c.paths {
		op, ok := p.methods[method].(map[string]any)
		fits, exact := p.matches(segments)
		if !ok || !fits || operation != nil && !variable {
			continue
		}
		where, operation, variable = p.where+"/"+method, op, !exact
	}
	return where, operation
}

func (p promisedPath) matches(segments []string) (fits, exact bool) {
	if len(segments) != len(p.segments) {
		return false, false
	}
	exact = true
	for i, want := range p.segments {
		switch {
		case strings.HasPrefix(want, "{"):
			exact = false
		case want != segments[i]:
			return false, false
		}
	}
	return true, exact
}
