package wire

import (
	"flag"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/extract/record"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/search"
	"github.com/mailkin/mailkin/internal/zone"
)

var update = flag.Bool("update", false, "write testdata/answers.golden")

// odd is what JSON encoders disagree on.
const odd = "<a href=\"x\">&\u2028\xff\t</a>"

// fill sets everything in v to a value that is not its zero value.
func fill(v reflect.Value, name string) {
	switch {
	case v.Type() == reflect.TypeFor[time.Time]():
		v.Set(reflect.ValueOf(time.Date(2026, 3, 4, 5, 6, 7, 89_987_654, time.FixedZone("", 3600))))
		return
	case v.Type() == reflect.TypeFor[record.Decimal]():
		v.SetString("10.50")
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(name + " " + odd)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(len(name)) + 2)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(len(name)) + 1)
	case reflect.Float32, reflect.Float64:
		v.SetFloat(float64(len(name)) + 0.25)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), name)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i), name)
		}
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key, name)
		fill(value, name)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); f.CanSet() {
				fill(f, v.Type().Field(i).Name)
			}
		}
	}
}

// filled returns a noun in which nothing is zero, or everything.
func filled[T any](full bool) (v T) {
	if full {
		fill(reflect.ValueOf(&v).Elem(), "x")
	}
	return v
}

// answers are all conversions, of nouns that are full or empty.
func answers(full bool) []struct {
	name string
	v    any
} {
	var (
		m, box, id = filled[mailbox.Message](full), filled[mailbox.Mailbox](full), filled[mailbox.ID](full)
		d, text    = filled[mailbox.Detail](full), filled[string](full)
		attempt    = filled[mailbox.HookAttempt](full)
		records    = []zone.Record{}
		sent       = m
	)
	sent.Direction = mailbox.Outbound
	for _, kind := range []string{zone.KindMX, zone.KindSPF, zone.KindDKIM, zone.KindDMARC, zone.KindDKIMEd25519,
		zone.KindOwnership} {
		r := filled[zone.Record](full)
		r.Kind = kind
		records = append(records, r)
	}
	return []struct {
		name string
		v    any
	}{
		{"email", NewEmail(m, d, text, true)},
		{"email of a key that may not download", NewEmail(m, d, text, false)},
		{"email that was sent", NewEmail(sent, d, text, true)},
		{"email to an older client", ForOlder(NewEmail(m, d, text, true))},
		{"message", NewMessage(m, text)},
		{"found", NewFoundMessage(m, text, 0.5)},
		{"highlight", NewHighlight(text, search.Snippet{Text: text,
			Spans: []search.Span{{Start: 0, End: len(text) / 2}}})},
		{"code", NewCode(m, d)},
		{"threads", NewThreads(filled[[]mailbox.Thread](full), text)},
		{"bootstrapped", NewBootstrapped(box, filled[mailbox.Secret](full), full, filled[api.Upgrade](full))},
		{"pending_claim", NewPendingClaim(filled[mailbox.Claim](full), text,
			filled[time.Time](full), full)},
		{"claim", NewStartedClaim(filled[mailbox.Claim](full), text, text)},
		{"sending", NewSending(id, id, text, mailbox.Queued, nil)},
		{"stored draft", NewStoredDraft(filled[mailbox.StoredDraft](full), text)},
		{"addresses", PreviewAddresses(filled[[]mailbox.Address](full))},
		{"quarantine", NewQuarantine(filled[[]mailbox.Quarantined](full), text)},
		{"queued delivery", NewQueuedDelivery(filled[mailbox.Delivery](full), text)},
		{"queue by destination", NewQueueDestinations(filled[[]mailbox.QueueSum](full))},
		{"suppressions", NewSuppressions(filled[[]mailbox.Suppression](full), text)},
		{"domains", NewDomains(filled[[]mailbox.Domain](full))},
		{"domain", NewDomainRecord(filled[mailbox.Domain](full), records, records, text)},
		{"check", NewDomainCheck(filled[mailbox.Domain](full), filled[zone.Findings](full), filled[int64](full), text)},
		{"sheet", NewDNSSheet(filled[mailbox.Domain](full), text, filled[zone.Findings](full), text)},
		{"reports", NewDomainReports(filled[[]mailbox.DomainReport](full), text,
			NewReportTotals(1, 2, filled[[]mailbox.ReportRow](full)))},
		{"order", NewOrder(filled[record.Order](full))},
		{"receipt", NewPaymentReceipt(filled[record.Receipt](full))},
		{"shipping", NewShipping(filled[record.Shipping](full))},
		{"calendar", NewAppointment(filled[record.Calendar](full))},
		{"code record", NewCodeRecord(text, &d)},
		{"older order", NewOlderOrder(filled[record.Order](full))},
		{"older receipt", NewOlderReceipt(filled[record.Receipt](full))},
		{"older calendar", NewOlderAppointment(filled[record.Calendar](full))},
		{"keys", api.Keys{Keys: each(filled[[]mailbox.Key](full),
			func(k mailbox.Key) api.Key { return NewKey(k, nil) })}},
		{"created key", NewCreatedKey(filled[mailbox.Key](full), filled[mailbox.Secret](full), text)},
		{"rejects", NewRejects(filled[[]mailbox.Reject](full), text)},
		{"activity", NewActivity(filled[[]mailbox.Happening](full))},
		{"audit", NewAudits(filled[[]mailbox.Audit](full), text)},
		{"mailboxes", NewMailboxes([]api.Mailbox{NewListedMailbox(box, filled[mailbox.Holding](full))}, text)},
		{"paused", NewPaused(box)},
		{"created mailbox", NewCreatedMailbox(box, filled[mailbox.Secret](full), true)},
		{"limits", NewLimits(filled[mailbox.Limits](full), filled[mailbox.Allowance](full))},
		{"problem", NewProblem(text, full, text, text)},
		{"ingested", NewReceipt(filled[mailbox.Receipt](full))},
		{"stats", NewStats(filled[mailbox.Counters](full), 1, 2, text)},
		{"day", NewDay(filled[time.Time](full), 1, 2, 3, filled[map[string]int64](full))},
		{"webhook delivery", NewPostedHook(filled[mailbox.Hook](full), filled[map[string]string](full))},
		{"webhook deliveries", NewHooks(filled[[]mailbox.Hook](full), text)},
		{"trial", NewTrial(text, attempt)},
		{"route", NewHookRoute(filled[mailbox.HookRoute](full), mailbox.Secret(text), text)},
	}
}

// The JSON of every answer, to the byte.
func TestAnswers(t *testing.T) {
	const file = "testdata/answers.golden"
	var got strings.Builder
	for _, full := range []bool{true, false} {
		for _, a := range answers(full) {
			got.WriteString(a.name + "\n" + encode(t, a.v) + "\n")
		}
	}
	if *update {
		if err := os.WriteFile(file, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got.String(), "\n")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
