package smtpd

import (
	"fmt"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// fault asks whether a command is to fail on purpose, and gives the reply.
func (s *session) fault(stage mailbox.ChaosStage) (no reply, fails bool) {
	if s.srv.cfg.Fault == nil {
		return reply{}, false
	}
	code, fails := s.srv.cfg.Fault(stage)
	if !fails {
		return reply{}, false
	}
	return reply{code, fmt.Sprintf("%d.3.0", code/100), fmt.Sprintf("Chaos: a %s error on purpose.", stage)}, true
}
