package zone

import (
	"context"
	"errors"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var errServers = errors.New("servers fail")

// world is what the DNS says: "name TXT text" or "name MX 10 host", and "name FAIL" for servers that fail.
type world struct {
	lines []string
	mu    sync.Mutex
	asked map[string]int
}

func (w *world) values(name, kind string) ([]string, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.asked == nil {
		w.asked = map[string]int{}
	}
	w.asked[kind+" "+name]++
	var out []string
	for _, line := range w.lines {
		if line == name+" FAIL" {
			return nil, errServers
		}
		if value, ok := strings.CutPrefix(line, name+" "+kind+" "); ok {
			out = append(out, value)
		}
	}
	if out == nil {
		return nil, ErrNone
	}
	return out, nil
}

func (w *world) TXT(_ context.Context, name string) ([]string, error) { return w.values(name, "TXT") }

func (w *world) MX(_ context.Context, name string) ([]MX, error) {
	values, err := w.values(name, "MX")
	var out []MX
	for _, v := range values {
		preference, host, _ := strings.Cut(v, " ")
		n, _ := strconv.ParseUint(preference, 10, 16)
		out = append(out, MX{host, uint16(n)})
	}
	return out, err
}

func (w *world) Addrs(_ context.Context, name string) (list []netip.Addr, err error) {
	values, err := w.values(name, "A")
	for _, v := range values {
		list = append(list, netip.MustParseAddr(v))
	}
	return list, err
}

func (w *world) Names(_ context.Context, addr netip.Addr) ([]string, error) {
	return w.values(ReverseName(addr), "PTR")
}

func (w *world) Policy(_ context.Context, domain string) (string, error) {
	values, err := w.values(PolicyHost(domain), "HTTPS")
	return strings.ReplaceAll(strings.Join(values, ""), "|", "\n"), err
}

const (
	rsaRecord = "v=DKIM1; k=rsa; p=AAECAwQFBgcICQoLDA0ODw=="
	edRecord  = "v=DKIM1; k=ed25519; p=Dw4NDAsKCQgHBgUEAwIBAA=="
)

func testPlan() Plan {
	return Plan{
		Domain: "example.com", Hostname: "mail.mailkin.example", Token: "t0k3n", ReportTo: "dmarc@example.com",
		Selectors: []Selector{{"mk1", rsaRecord}, {"mk1e", edRecord}},
	}
}

// published are the records of a plan as they are meant.
func published(p Plan) []string {
	var lines []string
	for _, r := range p.Records() {
		value := r.Value
		if r.Type == typeMX {
			value = "10 " + value + "."
		}
		lines = append(lines, r.Host+" "+r.Type+" "+value)
	}
	return lines
}

// finding is that of a kind.
func (f Findings) of(t *testing.T, kind string) Finding {
	t.Helper()
	for _, one := range f {
		if one.Record.Kind == kind {
			return one
		}
	}
	t.Fatalf("no %s in %+v", kind, f)
	return Finding{}
}
