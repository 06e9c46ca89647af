package httpapi

import (
	"encoding/json"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// limits is a change of a mailbox's limits, nil if it is not given. null, for all or for one of them, is the
// deployment's default.
func (f fields) limits(name string) (*service.LimitsChange, error) {
	if f[name] == nil {
		return nil, nil
	}
	if f.null(name) {
		return &service.LimitsChange{All: true}, nil
	}
	var of fields
	if err := f.read(name, &of, "an object"); err != nil {
		return nil, err
	}
	var c service.LimitsChange
	for _, one := range []struct {
		name string
		to   *service.Choice[int64]
	}{{"bytes", &c.Bytes}, {"messages", &c.Messages}, {"daily_sends", &c.DailySends},
		{"inbound_per_hour", &c.InboundPerHour}} {
		if one.to.Given = of[one.name] != nil; json.Unmarshal(given(of[one.name]), &one.to.Value) != nil {
			return nil, mailbox.InvalidField(name, "limits.%s must be a whole number, or null.", one.name)
		}
	}
	var err error
	c.RetentionDays, err = retention(of["retention_days"])
	if c == (service.LimitsChange{}) {
		return nil, err // nothing that is known
	}
	return &c, err
}

// given is a member, or null where it is not given.
func given(raw json.RawMessage) json.RawMessage {
	if raw == nil {
		return json.RawMessage("null")
	}
	return raw
}

// retention reads for how long mail is kept: an object, or a number of days for mail of both directions.
func retention(raw json.RawMessage) (*service.RetentionChange, error) {
	if raw == nil {
		return nil, nil
	}
	var of fields
	if json.Unmarshal(raw, &of) != nil {
		var days float64
		if json.Unmarshal(raw, &days) != nil {
			return nil, errRetention
		}
		both := service.Choice[float64]{Given: true, Value: &days}
		return &service.RetentionChange{Inbound: both, Outbound: both}, nil
	}
	if of == nil { // null
		return &service.RetentionChange{All: true}, nil
	}
	c := service.RetentionChange{AllLabels: of.null("labels")}
	c.Inbound.Given, c.Outbound.Given = of["inbound"] != nil, of["outbound"] != nil
	if json.Unmarshal(given(of["inbound"]), &c.Inbound.Value) != nil ||
		json.Unmarshal(given(of["outbound"]), &c.Outbound.Value) != nil ||
		json.Unmarshal(given(of["labels"]), &c.Labels) != nil {
		return nil, errRetention
	}
	if !c.Inbound.Given && !c.Outbound.Given && !c.AllLabels && len(c.Labels) == 0 {
		return nil, nil
	}
	return &c, nil
}

var errRetention = mailbox.InvalidField("limits", "limits.retention_days must be a number of days, or an object with "+
	"inbound, outbound and labels, each of them days or null.")
