package mailbox

// ChaosStage is a place in an SMTP session where a command can be made to fail on purpose.
type ChaosStage string

const (
	ChaosSender         ChaosStage = "sender"
	ChaosRecipient      ChaosStage = "recipient"
	ChaosAuthentication ChaosStage = "authentication"
)

// Chaos says at which stages, how often and with which codes commands fail, so that programs that send mail can be
// tested for that.
type Chaos struct{ Sender, Recipient, Authentication Fault }

// Fault is how a stage fails.
type Fault struct {
	Code        int // of the reply, 400 to 599
	Probability int // in percent
}

// CalmChaos is the one that nothing fails with.
func CalmChaos() Chaos {
	return Chaos{Sender: Fault{Code: 451}, Recipient: Fault{Code: 451}, Authentication: Fault{Code: 535}}
}

// At returns how a stage fails.
func (c Chaos) At(stage ChaosStage) Fault {
	switch stage {
	case ChaosSender:
		return c.Sender
	case ChaosRecipient:
		return c.Recipient
	}
	return c.Authentication
}

// Check says what is wrong with it.
func (c Chaos) Check() error {
	for _, stage := range []ChaosStage{ChaosSender, ChaosRecipient, ChaosAuthentication} {
		f := c.At(stage)
		if f.Code < 400 || f.Code > 599 {
			return InvalidField(string(stage), "The code of %s must be from 400 to 599.", stage)
		}
		if f.Probability < 0 || f.Probability > 100 {
			return InvalidField(string(stage), "The probability of %s must be from 0 to 100.", stage)
		}
	}
	return nil
}
