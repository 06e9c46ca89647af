package resend

import (
	"net/http"
	"slices"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/door"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/wire"
)

// domain is a domain as lists have it.
type domain struct {
	Object       string       `json:"object,omitempty"`
	ID           string       `json:"id"`
	Name         string       `json:"name"`
	Status       string       `json:"status"`
	CreatedAt    *string      `json:"created_at"`
	Region       string       `json:"region"`
	Capabilities capabilities `json:"capabilities"`
}

type capabilities struct {
	Sending   string `json:"sending"`
	Receiving string `json:"receiving"`
}

type wholeDomain struct {
	domain
	Records []record `json:"records"`
}

// record is an entry of the DNS that a domain needs.
type record struct {
	Record   string  `json:"record"`
	Name     string  `json:"name"`
	Type     string  `json:"type"`
	TTL      string  `json:"ttl"`
	Status   string  `json:"status"`
	Value    string  `json:"value"`
	Priority *uint16 `json:"priority,omitempty"`
}

func domainShown(d mailbox.Domain) domain {
	status := map[string]string{"dns_verified": "verified", "lapsed": "failed"}[d.Status()]
	if status == "" {
		status = "not_started"
		if d.Owned || d.MX || d.SPF || d.DKIM {
			status = "pending"
		}
	}
	return domain{ID: d.ID.String(), Name: d.Name, Status: status, CreatedAt: moment(d.CreatedAt), Region: "us-east-1",
		Capabilities: capabilities{"enabled", "enabled"}}
}

func wholeDomainOf(d service.DomainRecord) wholeDomain {
	out := wholeDomain{domain: domainShown(d.Domain), Records: []record{}}
	all := wire.NewDomainRecord(d.Domain, d.Records, d.Next, d.Instructions).Records
	for _, r := range []struct {
		name  string
		entry *api.DNSRecord
		found bool
	}{
		{"Ownership", all.Ownership, d.Owned}, {"Receiving", all.MX, d.MX}, {"SPF", all.SPF, d.SPF},
		{"DKIM", all.DKIM, d.DKIM}, {"DKIM", all.DKIMEd25519, d.DKIM}, {"DMARC", all.DMARC, d.DMARC},
	} {
		if r.entry == nil {
			continue
		}
		status := "not_started"
		if r.found {
			status = "verified"
		}
		out.Records = append(out.Records, record{Record: r.name, Name: r.entry.Host, Type: r.entry.Type, TTL: "Auto",
			Status: status, Value: r.entry.Value, Priority: r.entry.Priority})
	}
	return out
}

// domainOptions are those that a domain has there.
type domainOptions struct {
	Region            string       `json:"region"`
	CustomReturnPath  string       `json:"custom_return_path"`
	OpenTracking      bool         `json:"open_tracking"`
	ClickTracking     bool         `json:"click_tracking"`
	TrackingSubdomain string       `json:"tracking_subdomain"`
	TLS               string       `json:"tls"`
	Capabilities      capabilities `json:"capabilities"`
}

// check refuses what would not be done.
func (o domainOptions) check() error {
	refuse := func(text string) error { return door.Refuse(422, "validation_error", "%s", text) }
	switch {
	case !slices.Contains([]string{"", "us-east-1", "eu-west-1", "sa-east-1", "ap-northeast-1"}, o.Region):
		return door.Refuse(422, "invalid_region", "There is no region %q.", mailbox.Clip(o.Region, 40))
	case o.OpenTracking || o.ClickTracking || o.TrackingSubdomain != "":
		return refuse("Mail is not tracked here: leave open_tracking and click_tracking off.")
	case o.TLS != "" && o.TLS != "opportunistic":
		return refuse("`tls` is opportunistic here: recipients ask for more by MTA-STS and DANE.")
	case o.CustomReturnPath != "":
		return refuse("The return path is not to be chosen here.")
	case o.Capabilities.Sending == "disabled" || o.Capabilities.Receiving == "disabled":
		return refuse("A domain sends and receives here; neither can be disabled.")
	}
	return nil
}

func (e *edge) addDomain(c *door.Call) error {
	var in struct {
		Name string `json:"name"`
		domainOptions
	}
	if err := c.Read(&in, door.ObjectLimit); err != nil {
		return err
	}
	if in.Name == "" {
		return missing("name")
	}
	if err := in.check(); err != nil {
		return err
	}
	d, err := e.svc.AddDomain(c.Context(), c.In, in.Name)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusCreated, wholeDomainOf(d))
}

func (e *edge) listDomains(c *door.Call) error {
	p, err := pageOf(c)
	if err != nil {
		return err
	}
	list, err := e.svc.Domains(c.Context(), c.In)
	if err != nil {
		return err
	}
	rows, more, err := cut(list, p, func(d mailbox.Domain) mailbox.ID { return d.ID })
	if err != nil {
		return err
	}
	var out []domain
	for _, d := range rows {
		out = append(out, domainShown(d))
	}
	return c.JSON(http.StatusOK, listOf(out, more))
}

func (e *edge) oneDomain(c *door.Call) error {
	id, err := idOf(c, "id")
	if err != nil {
		return err
	}
	d, err := e.svc.Domain(c.Context(), c.In, id)
	if err != nil {
		return err
	}
	out := wholeDomainOf(d)
	out.Object = "domain"
	return c.JSON(http.StatusOK, out)
}

// updateDomain changes nothing: it takes options that are as they are here, and refuses others.
func (e *edge) updateDomain(c *door.Call) error {
	id, err := idOf(c, "id")
	if err != nil {
		return err
	}
	var in domainOptions
	if err := c.Read(&in, door.ObjectLimit); err != nil {
		return err
	}
	if err := in.check(); err != nil {
		return err
	}
	if _, err := e.svc.Domain(c.Context(), c.In, id); err != nil {
		return err
	}
	return c.JSON(http.StatusOK, identified{Object: "domain", ID: id.String()})
}

func (e *edge) deleteDomain(c *door.Call) error {
	id, err := idOf(c, "id")
	if err == nil {
		err = e.svc.DeleteDomain(c.Context(), c.In, id)
	}
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, identified{Object: "domain", ID: id.String(), Deleted: true})
}

func (e *edge) verifyDomain(c *door.Call) error {
	id, err := idOf(c, "id")
	if err == nil {
		_, err = e.svc.VerifyDomain(c.Context(), c.In, id)
	}
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, identified{Object: "domain", ID: id.String()})
}
