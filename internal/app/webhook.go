package app

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/mailkin/mailkin/internal/door/agentmail"
	"github.com/mailkin/mailkin/internal/door/resend"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/webhook"
	"github.com/mailkin/mailkin/internal/wire"
)

// poster makes what posts events.
func (a *App) poster() *webhook.Poster {
	p := webhook.New(webhook.Options{Timeout: a.cfg.WebhookTimeout, AllowPrivate: a.cfg.WebhookAllowPrivate.Allows,
		Version: Version(), Log: a.log})
	a.closers = append(a.closers, func() error { p.Close(); return nil })
	return p
}

// hookBody is the body of an event that is posted, and what it is called there.
func hookBody(form mailbox.HookForm, e mailbox.Event, address string) (string, []byte) {
	switch form {
	case mailbox.FormOwn:
		return string(e.Kind), wire.AppendHook(make([]byte, 0, 512), &e, address)
	case mailbox.FormResend:
		return resend.HookBody(e)
	case mailbox.FormAgentMail:
		return agentmail.HookBody(e, address)
	}
	return "", nil
}

// hookGrace is how long a stop waits for receivers at most: what is cut off is posted again at the next start.
const hookGrace = 5 * time.Second

// webhooks makes what brings events to webhooks.
func (a *App) webhooks(registry *prometheus.Registry) *webhook.Runner {
	options := webhook.RunnerOptions{Grace: min(a.cfg.ShutdownGrace, hookGrace), Log: a.log, Now: a.clock.now,
		Worker: a.workers.Worker("webhooks"), Tracer: a.tracer}
	if a.several() {
		options.Look, options.Attempt = nodeLook, a.cfg.WebhookTimeout+hookMargin
	}
	r := webhook.NewRunner(a.svc, a.hooks, options)
	countWebhooks(registry, r, a.svc)
	return r
}

func countWebhooks(registry *prometheus.Registry, r *webhook.Runner, svc *service.Service) {
	for _, m := range []struct {
		name, help string
		value      func() int64
	}{
		{"mailkin_webhook_attempts_total", "Attempts to post an event.", func() int64 { return r.Stats().Attempts }},
		{"mailkin_webhook_events_delivered_total", "Events that arrived at a webhook.",
			func() int64 { return r.Stats().Delivered }},
		{"mailkin_webhooks_failed_total", "Webhooks that were marked failed.", svc.HooksFailed},
	} {
		registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Name: m.name, Help: m.help},
			func() float64 { return float64(m.value()) }))
	}
	registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "mailkin_webhook_posts",
		Help: "Posts to webhooks under way."},
		func() float64 { return float64(r.Stats().InFlight) }))
}
