package httpapi

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/mailkin/mailkin/internal/service"
)

func TestLimitsField(t *testing.T) {
	given := func(n int64) service.Choice[int64] { return service.Choice[int64]{Given: true, Value: &n} }
	keep := func(n float64) service.Choice[float64] { return service.Choice[float64]{Given: true, Value: &n} }
	one := 1.0
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
		{body: `{"limits":{"retention_days":1.5}}`, want: &service.LimitsChange{
			RetentionDays: &service.RetentionChange{Inbound: keep(1.5), Outbound: keep(1.5)}}},
		{body: `{"limits":{"retention_days":{"inbound":3,"labels":{"code":1,"news":null}}}}`,
			want: &service.LimitsChange{RetentionDays: &service.RetentionChange{Inbound: keep(3),
				Labels: map[string]*float64{"code": &one, "news": nil}}}},
		{body: `{"limits":{"retention_days":{"outbound":null,"labels":null}}}`,
			want: &service.LimitsChange{RetentionDays: &service.RetentionChange{
				Outbound: service.Choice[float64]{Given: true}, AllLabels: true}}},
		{body: `{"limits":{"retention_days":{}}}`},
		{body: `{"limits":{"retention_days":{"labels":{},"speed":1}}}`},
		{body: `{"limits":{"retention_days":null}}`,
			want: &service.LimitsChange{RetentionDays: &service.RetentionChange{All: true}}},
		{body: `{"limits":5}`, bad: true},
		{body: `{"limits":{"bytes":"5GB"}}`, bad: true},
		{body: `{"limits":{"bytes":1.5}}`, bad: true},
		{body: `{"limits":{"retention_days":"30"}}`, bad: true},
		{body: `{"limits":{"retention_days":{"labels":["code"]}}}`, bad: true},
		{body: `{"limits":{"retention_days":{"labels":{"code":"1"}}}}`, bad: true},
		{body: `{"limits":{"retention_days":{"inbound":"1"}}}`, bad: true},
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
