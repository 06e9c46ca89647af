package httpapi

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

func TestLimitsField(t *testing.T) {
	given := func(n int64) service.Choice[int64] { return service.Choice[int64]{Given: true, Value: &n} }
	keep := func(r mailbox.Retention) service.Choice[mailbox.Retention] {
		return service.Choice[mailbox.Retention]{Given: true, Value: &r}
	}
	for _, c := range []struct {
		body string
		want *service.LimitsChange
		bad  bool
	}{
		{body: `{}`},
		{body: `{"limits":{}}`},
		{body: `{"limits":{"speed":1}}`},
		{body: `{"limits":null}`, want: &service.LimitsChange{All: true}},
		{body: `{"limits":{"bytes":5,"messages":0}}`, want: &service.LimitsChange{Bytes: given(5), Messages: given(0)}},
		{body: `{"limits":{"daily_sends":7,"inbound_per_hour":null}}`, want: &service.LimitsChange{DailySends: given(7),
			InboundPerHour: service.Choice[int64]{Given: true}}},
		{body: `{"limits":{"retention_days":1.5}}`,
			want: &service.LimitsChange{RetentionDays: keep(mailbox.Retention{Inbound: 1.5, Outbound: 1.5})}},
		{body: `{"limits":{"retention_days":{"inbound":3,"labels":{"code":1}}}}`,
			want: &service.LimitsChange{RetentionDays: keep(mailbox.Retention{Inbound: 3,
				Labels: map[string]float64{"code": 1}})}},
		{body: `{"limits":{"retention_days":{"labels":{"code":1,"news":null}}}}`,
			want: &service.LimitsChange{RetentionDays: keep(mailbox.Retention{
				Labels: map[string]float64{"code": 1}})}},
		{body: `{"limits":{"retention_days":null}}`,
			want: &service.LimitsChange{RetentionDays: service.Choice[mailbox.Retention]{Given: true}}},
		{body: `{"limits":5}`, bad: true},
		{body: `{"limits":{"bytes":"5GB"}}`, bad: true},
		{body: `{"limits":{"bytes":1.5}}`, bad: true},
		{body: `{"limits":{"retention_days":"30"}}`, bad: true},
		{body: `{"limits":{"retention_days":{"labels":["code"]}}}`, bad: true},
	} {
		f := fields{}
		if err := json.Unmarshal([]byte(c.body), &f); err != nil {
			t.Fatal(err)
		}
		got, err := f.limits("limits")
		if (err != nil) != c.bad || err == nil && !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, %v", c.body, got, err)
		}
	}
}
