package mailpit

import (
	"net/http"

	"github.com/mailkin/mailkin/internal/door"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// trigger is how a stage of SMTP fails on purpose.
type trigger struct{ ErrorCode, Probability int }

// triggers are those of all stages. One that is not given is as at the start, and so is a code of 0.
type triggers struct{ Sender, Recipient, Authentication trigger }

func (e *edge) chaos(c *door.Call, _ service.Access) error {
	now := e.svc.Chaos()
	return c.JSON(http.StatusOK, triggers{triggerOf(now.Sender), triggerOf(now.Recipient),
		triggerOf(now.Authentication)})
}

func triggerOf(f mailbox.Fault) trigger { return trigger{f.Code, f.Probability} }

func (e *edge) setChaos(c *door.Call, in service.Access) error {
	var body triggers
	if err := readObject(c, &body); err != nil {
		return err
	}
	calm := mailbox.CalmChaos()
	wanted := mailbox.Chaos{Sender: faultOf(body.Sender, calm.Sender),
		Recipient:      faultOf(body.Recipient, calm.Recipient),
		Authentication: faultOf(body.Authentication, calm.Authentication)}
	if err := e.svc.SetChaos(wanted); err != nil {
		return err
	}
	return e.chaos(c, in)
}

func faultOf(t trigger, calm mailbox.Fault) mailbox.Fault {
	if t.ErrorCode == 0 {
		t.ErrorCode = calm.Code
	}
	return mailbox.Fault{Code: t.ErrorCode, Probability: t.Probability}
}
