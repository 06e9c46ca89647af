package httpapi

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/mailkin/mailkin/internal/wire"
)

// olderPrefix is where clients of the older service look that have no key of a mailbox. Some answers there have other
// types (docs/compatibility.md).
const olderPrefix = "/api"

// prefixes are where every route without a leading slash is served (API 1).
var prefixes = []string{"/v1", olderPrefix}

// older tells whether a request uses the prefix of older clients.
func (c *call) older() bool { return strings.HasPrefix(c.URL.Path, olderPrefix+"/") }

// inForm returns an answer in the types that the caller declares.
func (c *call) inForm(answer any) any {
	if c.older() {
		return wire.ForOlder(answer)
	}
	return answer
}

// endpoint is a route with its place in the metrics.
type endpoint struct {
	route
	*meter
	verb string // the route as people know it, for the audit log
}

// resource is everything that one path answers.
type resource struct {
	segments  []string
	endpoints map[string]*endpoint // by method
	allow     string               // for the header Allow
	public    bool                 // for callers without a key
}

// at returns the endpoint of a method, nil if there is none.
func (r *resource) at(method string) *endpoint {
	if method == http.MethodHead {
		method = get
	}
	return r.endpoints[method]
}

// router finds the resource of a path.
type router struct {
	fixed     map[string]*resource // by path
	variable  []*resource          // paths with a {segment}
	unmatched *endpoint
	preflight *endpoint
}

func newRouter(routes []route, m *metrics) *router {
	rt := &router{
		fixed:     make(map[string]*resource),
		unmatched: &endpoint{meter: m.meter("other", "unmatched")},
		preflight: &endpoint{meter: m.meter(http.MethodOptions, "preflight")},
	}
	for _, r := range routes {
		paths := r.paths()
		e := &endpoint{route: r, meter: m.meter(r.method, paths[0]), verb: r.method + " " + paths[0]}
		for _, path := range paths {
			rt.add(path, e)
		}
	}
	return rt
}

// paths are where a route is served, the documented one first.
func (r route) paths() []string {
	if strings.HasPrefix(r.path, "/") {
		return []string{r.path}
	}
	paths := make([]string, len(prefixes))
	for i, prefix := range prefixes {
		paths[i] = prefix + "/" + r.path
	}
	return paths
}

func (rt *router) add(path string, e *endpoint) {
	res := rt.resource(path)
	res.endpoints[e.method] = e
	res.public = e.target == open
	allow := []string{http.MethodOptions}
	for method := range res.endpoints {
		allow = append(allow, method)
		if method == get {
			allow = append(allow, http.MethodHead)
		}
	}
	slices.Sort(allow)
	res.allow = strings.Join(allow, ", ")
}

// resource returns the resource of a pattern, new if it is the pattern's first.
func (rt *router) resource(pattern string) *resource {
	segments := strings.Split(pattern, "/")
	for _, res := range rt.variable {
		if slices.Equal(res.segments, segments) {
			return res
		}
	}
	if res := rt.fixed[pattern]; res != nil {
		return res
	}
	res := &resource{segments: segments, endpoints: make(map[string]*endpoint)}
	if strings.Contains(pattern, "{") {
		rt.variable = append(rt.variable, res)
	} else {
		rt.fixed[pattern] = res
	}
	return res
}

// find returns the resource of a path and the values of its {segments}. The resource is nil if there is none.
func (rt *router) find(u *url.URL) (*resource, [2]string) {
	if res := rt.fixed[u.Path]; res != nil && !strings.Contains(strings.ToLower(u.RawPath), "%2f") {
		return res, [2]string{}
	}
	segments, ok := segmentsOf(u)
	if !ok {
		return nil, [2]string{}
	}
	for _, res := range rt.variable {
		if values, ok := res.matches(segments); ok {
			return res, values
		}
	}
	return nil, [2]string{}
}

// segmentsOf splits a path before it decodes the segments, so that an encoded slash stays inside its segment.
func segmentsOf(u *url.URL) ([]string, bool) {
	if u.RawPath == "" {
		return strings.Split(u.Path, "/"), true
	}
	segments := strings.Split(u.RawPath, "/")
	for i, s := range segments {
		decoded, err := url.PathUnescape(s)
		if err != nil {
			return nil, false
		}
		segments[i] = decoded
	}
	return segments, true
}

// matches tells whether a path is the resource's, and gives the values of its {segments}: at most two.
func (r *resource) matches(segments []string) (values [2]string, ok bool) {
	if len(segments) != len(r.segments) {
		return values, false
	}
	n := 0
	for i, want := range r.segments {
		switch {
		case strings.HasPrefix(want, "{") && segments[i] != "":
			values[n] = segments[i]
			n++
		case want != segments[i]:
			return values, false
		}
	}
	return values, true
}

// private tells whether a path belongs to the interface that needs a key, whether or not there is anything at it.
func private(path string) bool {
	for _, prefix := range prefixes {
		if rest, ok := strings.CutPrefix(path, prefix); ok && (rest == "" || rest[0] == '/') {
			return true
		}
	}
	return false
}
