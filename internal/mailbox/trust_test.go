package mailbox_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/mailkin/mailkin/internal/mailbox"
)

func TestVerdictEncoding(t *testing.T) {
	checked := mailbox.Auth{SPF: "pass", DKIM: "none", DMARC: "pass", ARC: "none", FromAligned: true, Checked: true}
	for _, v := range []mailbox.Verdict{
		{},
		{Auth: checked, Trust: mailbox.Trust{Level: mailbox.Verified}},
		{Auth: mailbox.Auth{SPF: "softfail", DKIM: "temperror", DMARC: "none", ARC: "none", Checked: true},
			Trust: mailbox.Trust{Level: mailbox.Suspicious, Reasons: []string{"One: with a colon.", "Two."}}},
		{Trust: mailbox.Trust{Level: mailbox.Unverified, Reasons: []string{"Sender authentication was not checked."}}},
	} {
		if diff := cmp.Diff(v, mailbox.DecodeVerdict(v.Encode()), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", v, diff)
		}
	}
	for _, s := range []string{"x", "\n", "a b c d e f\n\n\n", " \nverified"} {
		_ = mailbox.DecodeVerdict(s) // whatever it is, it is read
	}
}
