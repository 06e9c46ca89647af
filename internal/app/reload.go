package app

import (
	"fmt"

	"github.com/mailkin/mailkin/internal/config"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// live is what the settings say of what can be changed while the service runs. The table of settings marks them.
func live(c config.Config) service.Live {
	return service.Live{MaxSecretAge: c.SecretMaxAge, Bootstrap: c.Onboarding.Bootstrap,
		BootstrapClientLimit: c.Onboarding.ClientLimit, BootstrapTotalLimit: c.Onboarding.TotalLimit,
		RetireAddresses: c.Onboarding.RetireAddresses, KeyGrace: c.KeyGrace, AuthFailures: c.AuthFailures.HTTP,
		LoginFailures: c.AuthFailures.Login, Rates: service.Rates(c.Rates), CodeWindow: c.CodeWindow,
		SendCap: c.Outbound.DailyCap, ReviewFor: c.Outbound.ReviewExpiry, Reviewers: c.Outbound.Reviewers,
		LoopThread: c.Outbound.LoopThread, LoopPeer: c.Outbound.LoopPeer, Brakes: c.Outbound.Brakes,
		ReceiveAction: mailbox.ReceiveAction(c.ReceiveAction), QuarantineKept: c.QuarantineKept,
		RejectDMARC: c.RejectDMARC, SendReports: c.SendReports}
}

// Reload takes up those settings that can be changed while it runs, and reads the certificate's files again. Where
// those cannot be used, the earlier certificate stays in use, and the error says why.
func (a *App) Reload(c config.Config) error {
	a.svc.Reload(live(c))
	if err := a.certs.files.reload(); err != nil {
		return fmt.Errorf("the certificate cannot be used, the earlier one stays in use: %w", err)
	}
	return nil
}
