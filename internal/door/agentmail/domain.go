package agentmail

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/door"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

func (e *edge) domainRoutes() []door.Route {
	const path = "/v0/domains"
	return []door.Route{
		{Method: "POST", Path: path, Support: door.Partly, Need: mailbox.ManageMailbox, Handle: e.addDomain,
			Note: "For the key's own inbox. The options are taken, and change nothing."},
		{Method: "GET", Path: path, Support: door.Yes, Need: mailbox.ManageMailbox, Handle: e.domains,
			Note: "Those of the key's own inbox."},
		{Method: "GET", Path: path + "/{domain}", Support: door.Yes, Need: mailbox.ManageMailbox, Handle: e.domain},
		{Method: "PATCH", Path: path + "/{domain}", Support: door.Partly, Need: mailbox.ManageMailbox,
			Handle: e.domain, Note: "Nothing is changed."},
		{Method: "DELETE", Path: path + "/{domain}", Support: door.Yes, Need: mailbox.ManageMailbox,
			Handle: e.deleteDomain},
		{Method: "POST", Path: path + "/{domain}/verify", Support: door.Yes, Need: mailbox.ManageMailbox,
			Handle: e.verifyDomain},
		{Method: "GET", Path: path + "/{domain}/zone-file", Support: door.Yes, Need: mailbox.ManageMailbox,
			Handle: e.zoneFile},
		{Method: "GET", Path: path + "/{domain}/setup-link", Support: door.No, Note: theirs},
	}
}

type domainItem struct {
	PodID      string    `json:"pod_id"`
	ID         string    `json:"domain_id"`
	Domain     string    `json:"domain"`
	Feedback   bool      `json:"feedback_enabled"`
	Subdomains bool      `json:"subdomains_enabled"`
	Tracking   bool      `json:"tracking_enabled"`
	UpdatedAt  time.Time `json:"updated_at"`
	CreatedAt  time.Time `json:"created_at"`
}

type domainJSON struct {
	domainItem
	Status  string         `json:"status"`
	Reason  string         `json:"reason,omitempty"`
	Records []domainRecord `json:"records"`
}

type domainRecord struct {
	Type     string  `json:"type"`
	Name     string  `json:"name"`
	Value    string  `json:"value"`
	Status   string  `json:"status"`
	Priority *uint16 `json:"priority,omitempty"`
}

func newDomainItem(d mailbox.Domain) domainItem {
	at := d.CreatedAt
	if d.VerifiedAt.After(at) {
		at = d.VerifiedAt
	}
	return domainItem{PodID: thePod, ID: d.ID.String(), Domain: d.Name, UpdatedAt: at, CreatedAt: d.CreatedAt}
}

func newDomain(d service.DomainRecord) domainJSON {
	out := domainJSON{domainItem: newDomainItem(d.Domain), Status: "NOT_STARTED", Reason: d.Problem,
		Records: []domainRecord{}}
	switch {
	case !d.LapsedAt.IsZero():
		out.Status = "FAILED"
	case !d.VerifiedAt.IsZero():
		out.Status = "VERIFIED"
	case d.MX || d.SPF || d.DKIM || d.DMARC || d.Owned:
		out.Status = "PENDING"
	}
	there := map[string]bool{"mx": d.MX, "spf": d.SPF, "dkim": d.DKIM, "dkim_ed25519": d.DKIM, "dmarc": d.DMARC,
		"ownership": d.Owned}
	for _, r := range d.Records {
		row := domainRecord{Type: r.Type, Name: r.Host, Value: r.Value, Status: "MISSING"}
		if there[r.Kind] {
			row.Status = "VALID"
		}
		if r.Type == "MX" {
			row.Priority = &r.Priority
		}
		out.Records = append(out.Records, row)
	}
	return out
}

func (e *edge) addDomain(c *door.Call) error {
	var body struct {
		Domain string `json:"domain"`
	}
	if err := c.Read(&body, door.ObjectLimit); err != nil {
		return err
	}
	d, err := e.svc.AddDomain(c.Context(), c.In, body.Domain)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, newDomain(d))
}

func (e *edge) domains(c *door.Call) error {
	found, err := e.svc.Domains(c.Context(), c.In)
	if err != nil {
		return err
	}
	rows, p, err := onePage(c, each(found, newDomainItem), func(d domainItem) string { return d.ID })
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, struct {
		paged
		Domains []domainItem `json:"domains"`
	}{p, rows})
}

// record reads the domain that the path names.
func (e *edge) record(c *door.Call) (service.DomainRecord, error) {
	id, ok := mailbox.ParseID(c.Value("domain"))
	if !ok {
		return service.DomainRecord{}, notFound("domain")
	}
	return e.svc.Domain(c.Context(), c.In, id)
}

func (e *edge) domain(c *door.Call) error {
	d, err := e.record(c)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, newDomain(d))
}

func (e *edge) deleteDomain(c *door.Call) error {
	d, err := e.record(c)
	if err == nil {
		err = e.svc.DeleteDomain(c.Context(), c.In, d.ID)
	}
	if err != nil {
		return err
	}
	return done(c)
}

func (e *edge) verifyDomain(c *door.Call) error {
	d, err := e.record(c)
	if err == nil {
		_, err = e.svc.VerifyDomain(c.Context(), c.In, d.ID)
	}
	if err != nil {
		return err
	}
	return done(c)
}

// zoneFile gives the records as a zone file has them (RFC 1035 5).
func (e *edge) zoneFile(c *door.Call) error {
	d, err := e.record(c)
	if err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "; %s\n", d.Name)
	for _, r := range d.Records {
		value := r.Value
		switch r.Type {
		case "MX":
			value = fmt.Sprintf("%d %s.", r.Priority, strings.TrimSuffix(value, "."))
		case "TXT":
			value = quotedText(value)
		}
		fmt.Fprintf(&b, "%s. 3600 IN %s %s\n", r.Host, r.Type, value)
	}
	return c.Bytes(http.StatusOK, "text/plain; charset=utf-8", []byte(b.String()))
}

// quotedText is a text in strings of at most 255 bytes.
func quotedText(s string) string {
	var parts []string
	for s != "" {
		n := min(len(s), 255)
		parts = append(parts, `"`+strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s[:n])+`"`)
		s = s[n:]
	}
	return strings.Join(parts, " ")
}
