// Package app puts Mailkin together: Open makes every part from the settings and listens, Run serves until its context
// ends and then stops in two stages, Close ends what is left.
//
// Only this package knows all the others. Edges are given the service, the service is given the stores, and nothing is
// found by any other way.
package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/mailkin/mailkin/internal/background"
	"github.com/mailkin/mailkin/internal/backup"
	"github.com/mailkin/mailkin/internal/blob"
	"github.com/mailkin/mailkin/internal/config"
	"github.com/mailkin/mailkin/internal/connlimit"
	"github.com/mailkin/mailkin/internal/console"
	"github.com/mailkin/mailkin/internal/datadir"
	"github.com/mailkin/mailkin/internal/dns"
	"github.com/mailkin/mailkin/internal/httpapi"
	"github.com/mailkin/mailkin/internal/index"
	"github.com/mailkin/mailkin/internal/janitor"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/outbound"
	"github.com/mailkin/mailkin/internal/proxyproto"
	"github.com/mailkin/mailkin/internal/search/meaning"
	"github.com/mailkin/mailkin/internal/sender"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/smtpd"
	"github.com/mailkin/mailkin/internal/trace"
	"github.com/mailkin/mailkin/internal/transport"
	"github.com/mailkin/mailkin/internal/webhook"
)

// App is a running Mailkin.
type App struct {
	cfg     config.Config
	log     *slog.Logger
	secrets secrets
	storage storage
	workers *background.Workers
	clock   clock
	certs   certificates
	signIn  *console.SignIn // nil: no link to sign in with is given out
	closers []func() error

	comparing sync.WaitGroup // of the keys of mailboxes with the mailboxes
	lostKeys  keyLosses
	wiper     *backup.Wiper // of keys in the backups; nil: there is none
	dns       *dns.Resolver // nil: nobody asks
	scans     *scans
	svc       *service.Service
	queue     *outbound.Runner
	direct    *transport.Direct // nil: mail takes another way
	hooks     *webhook.Poster
	pushes    *webhook.Runner
	api       *httpapi.API
	conns     *connlimit.Limiter
	bounds    connBounds
	pending   *proxyproto.Pending // of all listeners
	servers   []server
	mail      *smtpd.Server // nil: mail does not come by SMTP
	ingest    *prometheus.HistogramVec
	tracer    *trace.Tracer // nil: nothing is traced
	addrs     Addrs
	began     time.Time
}

// server is a listener with what answers on it.
type server struct {
	name     string
	listener net.Listener
	serve    func(net.Listener) error    // nil after shutdown
	shutdown func(context.Context) error // lets what is in flight finish
}

// Addrs are the addresses that are listened on; empty for those that are off.
type Addrs struct{ HTTP, SMTP, LMTP, Submission, Metrics, ACME string }

// Open makes everything ready: after it, Run only has to serve.
func Open(ctx context.Context, cfg config.Config, log *slog.Logger) (*App, error) {
	tracer, log, err := newTracer(cfg, log)
	if err != nil {
		return nil, err
	}
	a := &App{cfg: cfg, log: log, workers: background.New(log), tracer: tracer, began: time.Now()}
	err = a.open(ctx)
	if err == nil {
		err = a.listen()
	}
	if err != nil {
		return nil, errors.Join(err, a.Close())
	}
	return a, nil
}

// MismatchError is a setting that does not fit what is stored.
type MismatchError = service.MismatchError

// Progress is how far reprocessing has come.
type Progress = service.Progress

// Reprocess applies the rules of this version to the mail of a deployment that is not running.
func Reprocess(ctx context.Context, cfg config.Config, log *slog.Logger, report func(Progress)) (Progress, error) {
	a := &App{cfg: cfg, log: log, workers: background.New(log)}
	var done Progress
	err := a.open(ctx)
	if err == nil {
		done, err = a.svc.Reprocess(ctx, report)
	}
	return done, errors.Join(err, a.Close())
}

// open makes the service, with what it stands on.
func (a *App) open(ctx context.Context) error {
	err := backup.Tidy(a.cfg.DataDir)
	if err == nil {
		err = refusal(a.cfg, missingDatabase(a.cfg))
	}
	if err != nil {
		return err
	}
	if err := os.MkdirAll(a.spool(), 0o700); err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	// a folder that cannot be read is told by what opens it
	if exposed, _ := datadir.Exposed(a.cfg.DataDir); len(exposed) > 0 {
		a.log.Warn("other users of this machine can get at the data folder: take their rights away (chmod)", "open",
			exposed)
	}
	err = a.openStorage(ctx)
	if err == nil {
		err = a.encrypt(ctx)
	}
	if err != nil {
		return err
	}
	if a.secrets, err = loadSecrets(a.cfg); err != nil {
		return err
	}
	encoder, err := a.encoder()
	if err != nil {
		return err
	}
	if a.dns, err = a.resolver(); err != nil {
		return err
	}
	senders := sender.New(sender.Options{DNS: a.dns, Hostname: a.cfg.Hostname})
	hygiene, err := a.hygiene()
	if err != nil {
		return err
	}
	a.hooks = a.poster()
	options := service.Options{Live: live(a.cfg),
		Store: a.storage.db, Blobs: a.storage.blobs, Index: a.storage.index, Encoder: encoder, Domains: a.cfg.Domains,
		Configured: a.cfg.Mailbox, Operator: a.secrets.token,
		Limits: a.cfg.Limits, Version: Version(), AllowPrivate: a.cfg.WebhookAllowPrivate.Allows,
		LowPriority: lowPriority, MinFree: a.cfg.MinFree.Bound, Owed: a.storage.owed,
		Uploads: a.cfg.Outbound.Uploads, MailboxUploads: a.cfg.Outbound.MailboxUploads, UploadDisk: a.spoolDisk,
		RejectsKept: a.cfg.RejectsKept, AuditsKept: time.Duration(a.cfg.AuditsKept * 24 * float64(time.Hour)),
		Root: a.secrets.root, RootOld: a.cfg.SecretOld,
		SecretFiles: a.secrets.files, KeepSecret: a.secrets.write, Reencrypt: a.reencrypt,
		WebhookSecret: a.secrets.webhook, Poster: a.hooks, HookBody: hookBody,
		AllowMismatch: a.cfg.DomainMismatch == config.MismatchAllow, Problems: a.problems,
		Claim:      service.ClaimMode(a.cfg.Onboarding.Claim),
		EventsKept: a.cfg.EventsKept, Senders: senders, Hygiene: hygiene, Now: a.clock.now, Log: a.log,
		Workers:  a.workers,
		Tracer:   a.tracer,
		Hostname: a.cfg.Hostname, Addresses: publicAddresses(), STS: a.cfg.ServedSTS(),
		Zones: a.zones(), Way: ways[a.cfg.Outbound.Mode],
		RetryTime: a.cfg.Outbound.RetryTime, PublicURL: a.publicURL,
		SignIns: signIns(a.cfg.OIDC), CatchAll: catchAll(a.cfg.CatchAll),
	}
	if a.cfg.SMTPAddr != "" {
		options.Knock = a.knock
	}
	a.amongOthers(&options)
	a.svc, err = service.Open(ctx, options)
	var replaced *service.ReplacedError
	if errors.As(err, &replaced) {
		return &config.SettingError{Key: secretSettings[replaced.Name], Err: replaced}
	}
	if err == nil && a.several() {
		a.storage.shared.OnNewEra(a.svc.NewEra)
	}
	return err
}

// resolver is what asks the DNS for everybody, or nil where the settings say that nobody does.
func (a *App) resolver() (*dns.Resolver, error) {
	o := dns.Options{Resolver: a.cfg.DNS, Log: a.log}
	switch a.cfg.DNS {
	case config.DNSOff:
		return nil, nil
	case config.DNSSystem:
		o.Resolver = ""
	}
	r, err := dns.New(o)
	if err != nil {
		return nil, &config.SettingError{Key: "dns", Err: err}
	}
	return r, nil
}

// encoder makes the vectors for search by meaning.
func (a *App) encoder() (index.Encoder, error) {
	if a.cfg.EmbeddingsURL == "" {
		return meaning.Open()
	}
	remote, err := meaning.NewRemote(string(a.cfg.EmbeddingsURL), nil)
	if err != nil {
		return nil, &config.SettingError{Key: "embeddings_url", Err: err}
	}
	return remote, nil
}

// spool is the folder for what is being sent and not yet stored.
func (a *App) spool() string { return filepath.Join(a.cfg.DataDir, "spool") }

// spoolDisk tells how much of its disk is free.
func (a *App) spoolDisk() (free, total uint64, err error) { return blob.FreeOn(a.spool()) }

func unless(err, expected error) error {
	if errors.Is(err, expected) {
		return nil
	}
	return err
}

// Addrs tells where the app listens.
func (a *App) Addrs() Addrs { return a.addrs }

// TokenSource tells where the operator token is: a path, or the variable that gave it.
func (a *App) TokenSource() string { return a.secrets.tokenSource }

// settleTime is how long after a start all that no client waits for begins, so that it takes no time from the first
// answers.
const settleTime = 100 * time.Millisecond

// Run serves until ctx ends. Then it stops in two stages: no new work is taken and what is in flight finishes; what has
// not finished within the grace time is cut off, and that is an error. A listener that fails ends everything.
func (a *App) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var serving, loops sync.WaitGroup
	for _, s := range a.servers {
		serving.Go(func() {
			if err := s.serve(s.listener); err != nil {
				cancel(fmt.Errorf("%s: %w", s.name, err))
			}
		})
	}
	chores, stopChores := context.WithCancel(context.WithoutCancel(ctx))
	defer stopChores()
	if a.tracer != nil {
		loops.Go(func() { a.tracer.Run(chores) })
	}
	loops.Go(func() { a.report("write logs", a.svc.Run(chores)) })
	loops.Go(func() { a.follow(chores) })
	later := func(fn func()) {
		loops.Go(func() {
			select {
			case <-time.After(settleTime):
				fn()
			case <-chores.Done():
			}
		})
	}
	later(func() { a.warm(chores) })
	later(func() {
		a.report("do chores", a.svc.Turn(chores, "chores", func(ctx context.Context, _ int64) error {
			janitor.Run(ctx, a.svc, a.workers)
			return ctx.Err()
		}))
	})
	later(func() { a.report("read captured mail", a.svc.FillCaptured(chores)) })
	later(func() { a.report("delete old captured mail", a.svc.PruneCaptured(chores)) })
	later(func() {
		lowPriority()
		a.report("index messages", a.svc.Index().Run(chores))
	})
	later(func() {
		lowPriority()
		a.report("make vectors", a.svc.Index().Embed(chores))
	})
	later(func() { a.refreshPolicies(ctx) })
	loops.Go(func() { a.obtain(ctx) })
	loops.Go(func() { a.queue.Run(ctx) })
	loops.Go(func() { a.pushes.Run(ctx) })

	<-ctx.Done()
	err := unless(context.Cause(ctx), context.Canceled)
	err = errors.Join(err, a.shutdown(context.WithoutCancel(ctx)))
	serving.Wait()
	stopChores()
	loops.Wait()
	a.log.Info("stopped")
	return err
}

// warm makes ready what the first mail would have to wait for, and gives memory back to the system until ctx ends.
func (a *App) warm(ctx context.Context) {
	_, err := a.certs.files.load()
	a.report("read the certificate", err)
	if !a.cfg.CatchAll.On { // a test server has little to do, and is started often
		service.Warm()
	}
	debug.FreeOSMemory() // making the tables takes eight times what they need
	releaseProgramPages()
	a.releaseIdleMemory(ctx)
}

// shutdown stops all servers at the same time, within the grace time.
func (a *App) shutdown(ctx context.Context) error {
	a.log.Info("stopping", "grace", a.cfg.ShutdownGrace)
	a.svc.Leave()
	a.api.Stop(a.cfg.ShutdownGrace / 2) // a reader that is slow is no reason to end with an error
	ctx, cancel := context.WithTimeout(ctx, a.cfg.ShutdownGrace)
	defer cancel()
	errs := make([]error, len(a.servers))
	var wg sync.WaitGroup
	for i, s := range a.servers {
		wg.Go(func() {
			if err := s.shutdown(ctx); err != nil {
				errs[i] = fmt.Errorf("%s did not finish in time: %w", s.name, err)
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

func (a *App) report(doing string, err error) {
	if err != nil && !errors.Is(err, context.Canceled) && mailbox.KindOf(err) != mailbox.Unavailable {
		a.log.Error(doing, "error", err)
	}
}

// Close ends what Open began, last things first.
func (a *App) Close() error {
	var errs []error
	for i := len(a.closers) - 1; i >= 0; i-- {
		errs = append(errs, a.closers[i]())
	}
	a.closers = nil
	return errors.Join(errs...)
}

// Version is the program's version, from the build.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "dev"
	}
	return info.Main.Version
}
