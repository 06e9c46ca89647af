package service

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"net/netip"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/mailkin/mailkin/internal/background"
	"github.com/mailkin/mailkin/internal/blob"
	"github.com/mailkin/mailkin/internal/index"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/sender"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/trace"
	"github.com/mailkin/mailkin/internal/wake"
	"github.com/mailkin/mailkin/internal/zone"
)

// Options is what a service is made of.
type Options struct {
	Live // what can be changed while the service runs

	Store store.Store
	Blobs blob.Store
	Index store.Index // of words; nil: there is no search

	Encoder index.Encoder // makes vectors, for search by meaning; nil: there is none

	Domains    []string       // ours, in ASCII form; the first is for new mailboxes
	Configured string         // address of the operator's own mailbox
	Operator   mailbox.Secret // the operator credential
	Limits     mailbox.Limits
	Version    string

	Root    mailbox.Secret // of the deployment's derived secrets
	RootOld mailbox.Secret // what it was before, while it is being changed; empty: nothing else
	// files of the secrets that are kept in the data folder, and how a new one is written there; the settings have the
	// others
	SecretFiles map[mailbox.SecretName]string
	KeepSecret  func(name mailbox.SecretName, value mailbox.Secret) error
	// encrypts what others keep with the root secret in force; nil: there is nothing else
	Reencrypt func(ctx context.Context) error

	SignIns mailbox.SignIns // of people at an OpenID provider

	AllowMismatch bool             // start also where no mailbox is on a domain that is served
	Problems      func() []Problem // of what runs alongside the service; nil: there is nothing

	Claim      ClaimMode
	EventsKept time.Duration // how far back events are replayed

	// no other process works on this store: what is leased in it at the start is nobody's
	Alone  bool
	Apart  bool         // what concerns several mailboxes is a transaction for each
	Peers  Peers        // the other nodes; nil: there are none
	Node   string       // names this node among them
	Roster store.Roster // knows the others; nil: there are none
	Leaser store.Leaser // says which node does what only one does; nil: this one
	// of a delivery: when nobody finishes or renews it, it is tried again; 0: 15 minutes
	Lease     time.Duration
	HookLease time.Duration        // the same for an event on its way to a webhook; 0: 3 minutes
	HookTime  time.Duration        // how long an attempt to post an event takes at most
	Hostname  string               // of this server, as others know it
	Addresses []netip.Addr         // of this server on the Internet, as far as they are known
	STS       string               // mode of the MTA-STS policies that are served: testing or enforce; empty: none are
	Zones     func() zone.Resolver // asks the DNS now, not from memory; nil: it is not asked
	Way       Way                  // how mail leaves
	RetryTime time.Duration        // how long a delivery is tried
	PublicURL func() string        // where people reach the pages of the service; nil: it is not known

	CatchAll *CatchAll // how mail for every address is taken; nil: it is not
	Knock    Knock     // nil: mail does not come by SMTP

	Senders Senders // nil: senders are not checked
	Hygiene Hygiene // against spam and viruses from outside

	WebhookSecret mailbox.Secret // signs every event that is posted
	Poster        HookPoster     // nil: nothing can be posted
	HookBody      HookBody
	AllowPrivate  func(netip.Addr) bool // webhook targets that are not public
	// gives the calling goroutine's thread the lowest priority; nil: nothing does
	LowPriority func()
	MinFree     func(disk uint64) uint64 // bytes of a disk of this size that must stay free
	// bytes of the disk that the store still takes for what it has committed; nil: it is elsewhere
	Owed           func() int64
	Uploads        int64                                  // bytes that all unfinished sends may have on the disk
	MailboxUploads int64                                  // the same for those of one mailbox
	UploadDisk     func() (free, total uint64, err error) // of the disk that these are on; nil: that of the blobs
	AuditsKept     time.Duration                          // how long the audit log is kept; 0: for good
	RejectsKept    int                                    // entries of the ring of refused mail
	// counts rounds of background work without progress; nil: nobody does
	Workers *background.Workers
	Now     func() time.Time
	Tracer  *trace.Tracer // nil: nothing is traced
	Log     *slog.Logger
}

// Service is Mailkin behind its protocols. All methods may be called concurrently.
type Service struct {
	opt           Options // as it was opened; see live
	inForce       atomic.Pointer[Live]
	store         store.Store
	blobs         blob.Store
	log           *slog.Logger
	ledger        ledger
	flushing      sync.Mutex
	keyring       atomic.Pointer[keyring]
	keyringChange sync.Mutex
	rotation      sync.Mutex // one secret is replaced at a time
	boxes         directory
	full          fullBoxes
	captured      captured
	retention     retention
	changes       atomic.Int64 // of mailboxes and of keys
	era           eras
	hub           wake.Hub
	handover      handover
	catalogued    catalogued
	began         time.Time
	nodeSeen      time.Time    // until when this node need not say that it is there; of Run alone
	queue         wake.Hub     // of mailbox 0: there is something to deliver
	hooks         wake.Hub     // the same for webhooks
	trials        trialCounter // attempts of webhooks that callers wait for, by mailbox
	locks         keyedMutex
	breakers      breakers
	rates         rates
	stopped       atomic.Int64 // mailboxes that the brakes stopped
	reviewed      reviewCounts
	index         *index.Index
	pressure      index.Pressure
	fullParts     fullParts // of limits of the deployment
	served        served
	quarantined   quarantines
	lists         atomic.Pointer[[]mailbox.List] // of the deployment, that have entries
	checks        checks
	keymaking     chan struct{} // held while keys of a domain are made
	makeKey       func(kind string) ([]byte, error)
	outlet        Outlet   // nil: everything goes by the queue
	signers       sync.Map // domain to signing
	sealedLog     sync.Map // domain to when it was logged that its keys cannot be opened
	wrong         failures
	space         space
	storage       storageState
	pulse         pulse
	hooksFailed   atomic.Int64
	looks         background.Tasks
	uploads       uploads
	large         largePlaces
	waitTextSlots chan struct{} // held while a waiting call reads the text of a message
	largeReads    chan struct{} // held while a large message is read
	openRaws      openRaws
	reads         firstReads
	observed      observations
	reportsSent   atomic.Int64
	verdicts      verdicts
	overviews     reports[OverviewQuery, Overview]
	screenings    reports[OverviewQuery, Screenings]
	censuses      reports[struct{}, store.Census]
	lookMost      int           // see lookMost
	exports       chan struct{} // held while an export works, but not while its client takes what it made

	leave   sync.Once
	leaving chan struct{} // closed: the service is about to stop
}

// Open makes a service and, at the first start, the operator's mailbox.
func Open(ctx context.Context, opt Options) (*Service, error) {
	s := &Service{opt: opt, store: opt.Store, blobs: opt.Blobs, log: opt.Log, leaving: make(chan struct{}),
		keymaking: make(chan struct{}, 1), makeKey: sender.NewKey, lookMost: lookMost}
	s.Reload(opt.Live)
	s.opt.Lease, s.opt.HookLease = cmp.Or(opt.Lease, aloneLease), cmp.Or(opt.HookLease, aloneHookLease)
	s.largeReads = make(chan struct{}, largeTurns())
	s.waitTextSlots = make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2))
	s.exports = make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2))
	s.ledger.keep, s.began = opt.RejectsKept, s.now()
	s.captured.due = make(chan struct{}, 1)
	s.catalogued.asked = make(chan struct{}, 1)
	s.index = s.newIndex()
	if err := s.openSecrets(ctx); err != nil {
		return nil, err
	}
	// Looked at before anything is written.
	there, err := s.census(ctx)
	if err == nil {
		err = s.domainFits(there)
	}
	mark := captureSlot(slotNone)
	if err == nil {
		mark, err = s.captureFits(ctx, there)
	}
	if err != nil {
		return nil, err
	}
	if err := s.begin(ctx, mark, &there); err != nil {
		return nil, err
	}
	if err := s.tellDefaults(ctx); err != nil {
		return nil, err
	}
	if err := s.claimBlobs(ctx); err != nil {
		return nil, err
	}
	if err := s.resealDomains(ctx); err != nil {
		return nil, err
	}
	if err := s.loadDomains(ctx); err != nil {
		return nil, err
	}
	if err := s.loadLists(ctx); err != nil {
		return nil, err
	}
	s.logProblems(there)
	return s, nil
}

// begin writes what a start writes. Each transaction waits for the disk: they wait together.
func (s *Service) begin(ctx context.Context, mark captureSlot, there *store.Census) error {
	var writes sync.WaitGroup
	var marked, made, introduced, released error
	writes.Go(func() { marked = s.markStore(ctx, mark) })
	writes.Go(func() { made = s.ensureConfigured(ctx) })
	writes.Go(func() { introduced = s.introduceLimits(ctx, there) })
	if s.opt.Alone {
		released = s.update(ctx, func(tx store.Tx) error {
			return errors.Join(tx.ReleaseDeliveries(ctx, s.now()), tx.ReleaseHooks(ctx, s.now()))
		})
	}
	writes.Wait()
	return cmp.Or(marked, made, introduced, released)
}

// now is the time of the service's clock, at the precision that is stored.
func (s *Service) now() time.Time { return s.opt.Now().UTC().Truncate(time.Millisecond) }

// fail returns the error that a caller sees for one of the store or the disk.
func fail(err error) error {
	var known *mailbox.Error
	switch {
	case err == nil || errors.As(err, &known):
		return err
	case errors.Is(err, store.ErrFull), errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return &mailbox.Error{Kind: mailbox.DiskFull, Code: "disk_full",
			Message: "The disk is full, so nothing can be stored; deleting mail makes room. Try again later.", Err: err}
	case errors.Is(err, store.ErrStorage), errors.Is(err, syscall.EIO), errors.Is(err, syscall.EROFS),
		errors.Is(err, syscall.EFBIG), errors.Is(err, fs.ErrPermission):
		return &mailbox.Error{Kind: mailbox.DiskFull, Code: "storage_unavailable",
			Message: "Nothing can be stored right now; try again later.", Err: err}
	case errors.Is(err, store.ErrUnavailable), errors.Is(err, blob.ErrUnavailable):
		return &mailbox.Error{Kind: mailbox.Unavailable, Code: "unavailable",
			Message: "The service cannot reach its storage right now; try again in a moment.", Err: err}
	case errors.Is(err, store.ErrClosed), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return &mailbox.Error{Kind: mailbox.Unavailable, Code: "unavailable",
			Message: "The service is stopping or too busy; try again in a moment.", Err: err}
	}
	return err
}

// update runs fn in a transaction of the store.
func (s *Service) update(ctx context.Context, fn func(store.Tx) error) error {
	s.pressure.Enter()
	defer s.pressure.Leave()
	if s.catchesAll() {
		noting, over := s.catalogued.noteTouched(fn)
		defer over()
		fn = noting
	}
	ctx, span := s.opt.Tracer.Start(ctx, "store update")
	err := errPartFull
	for errors.Is(err, errPartFull) {
		err = fail(s.store.Update(ctx, fn))
	}
	span.EndWith(err)
	s.noteStored(err)
	return err
}

// Reading marks the context of a request that only reads.
func Reading(ctx context.Context) context.Context { return store.Reading(ctx) }

// view runs fn on one state of the store.
func (s *Service) view(ctx context.Context, fn func(store.Reader) error) error {
	ctx, span := s.opt.Tracer.Start(ctx, "store view")
	err := fail(s.store.View(ctx, fn))
	span.EndWith(err)
	return err
}

func (s *Service) ask(ctx context.Context, fn func(store.Reader) error) error {
	return fail(s.store.Ask(ctx, fn))
}

// Ready tells whether the service should be given work: healthy, and with room for mail, of the smallest size at least.
func (s *Service) Ready(ctx context.Context) error {
	least := int64(0)
	if s.opt.Owed != nil { // the store is on the same disk, and takes pages for each message
		least = mailPages
	}
	if err := s.room(least); err != nil {
		return err
	}
	return s.Health(ctx)
}
