package httpapi

import (
	"encoding/json"
	"maps"

	"github.com/mailkin/mailkin/api"
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
	c.RetentionDays.Given = of["retention_days"] != nil
	var err error
	c.RetentionDays.Value, err = retention(given(of["retention_days"]))
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
func retention(raw json.RawMessage) (*mailbox.Retention, error) {
	var days *float64
	if json.Unmarshal(raw, &days) == nil {
		if days == nil {
			return nil, nil
		}
		return &mailbox.Retention{Inbound: *days, Outbound: *days}, nil
	}
	var keep api.Retention
	var chosen struct{ Labels map[string]*float64 }
	if json.Unmarshal(raw, &keep) != nil || json.Unmarshal(raw, &chosen) != nil {
		return nil, mailbox.InvalidField("limits", "limits.retention_days must be a number of days, or an object with "+
			"inbound, outbound and labels.")
	}
	maps.DeleteFunc(keep.Labels, func(label string, _ float64) bool { return chosen.Labels[label] == nil }) // null
	return &mailbox.Retention{Inbound: keep.Inbound, Outbound: keep.Outbound, Labels: keep.Labels}, nil
}
