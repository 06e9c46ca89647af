package mcpserver

import (
	"context"
	"time"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/client"
)

// Account is a mailbox at a service, as a program on somebody's machine knows it.
type Account struct {
	URL       string
	Key       string // empty: there is none yet
	Mailbox   string // its address, if known
	ExpiresAt time.Time
	Given     bool // it was set for this run: nobody knows what it is, and it is not replaced
}

// temporary tells whether it ends by itself.
func (a Account) temporary() bool { return !a.Given && !a.ExpiresAt.IsZero() }

// Keep is where an account is kept from one run to the next.
type Keep interface {
	Load() (Account, error)
	// Save keeps a temporary mailbox, unless that would take another's place that is worth more.
	Save(Account) (kept bool, err error)
}

// Keeper is the source for one person's program. It makes a temporary mailbox at the first call that needs one, and
// another when that one has ended.
type Keeper struct {
	keep  Keep
	dial  func(Account) (*client.Client, error)
	sem   chan struct{}      // guards what follows; a channel, so that waiting can be cancelled
	own   Account            // in the place of what is kept; without a key: none
	given map[string]keyKind // what a key is that was set for this run
}

// NewKeeper makes a keeper. The clients that it makes name the program so.
func NewKeeper(keep Keep, agent string) *Keeper {
	return &Keeper{
		keep: keep, sem: make(chan struct{}, 1), given: map[string]keyKind{},
		dial: func(a Account) (*client.Client, error) {
			return client.New(a.URL, a.Key, client.WithRetries(1), client.WithUserAgent(agent))
		},
	}
}

// lock waits until nobody else has the lock, or ctx ends.
func (k *Keeper) lock(ctx context.Context) error {
	select {
	case k.sem <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (k *Keeper) unlock() { <-k.sem }

// current is the account in use.
func (k *Keeper) current() (Account, error) {
	if k.own.Key != "" {
		return k.own, nil
	}
	a, err := k.keep.Load()
	if err != nil {
		return a, advice("The configuration cannot be read: " + oneLine(err.Error()) + ". Tell your user.")
	}
	return a, nil
}

// Access implements Source.
func (k *Keeper) Access(ctx context.Context) (Access, error) {
	if err := k.lock(ctx); err != nil {
		return Access{}, err
	}
	defer k.unlock()
	a, err := k.current()
	if err != nil {
		return Access{}, err
	}
	note := ""
	if a.Key == "" {
		var fate string
		if a, fate, err = k.make(ctx, a.URL); err != nil {
			return Access{}, err
		}
		note = "There was no mailbox, so a temporary one was made: " + a.Mailbox + ", until " + until(a) +
			". It receives and reads; it cannot send." + fate
	}
	return k.access(a, note)
}

func (k *Keeper) access(a Account, note string) (Access, error) {
	c, err := k.dial(a)
	if err != nil {
		return Access{}, advice("The configuration is not right: " + oneLine(err.Error()) +
			". Tell your user to check MAILKIN_URL and MAILKIN_API_KEY.")
	}
	return Access{Client: c, Note: note, Renew: func(ctx context.Context) (Access, error) { return k.renew(ctx, a) }},
		nil
}

// renew is called when the service does not know the key of an account any more.
func (k *Keeper) renew(ctx context.Context, ended Account) (Access, error) {
	if err := k.lock(ctx); err != nil {
		return Access{}, err
	}
	defer k.unlock()
	a, err := k.current()
	switch {
	case err != nil:
		return Access{}, err
	case a.Key != "" && a.Key != ended.Key: // another call was faster, or the mailbox was claimed
		return k.access(a, "")
	case !a.temporary():
		return Access{}, advice("The key is wrong, expired or revoked. Tell your user to check MAILKIN_API_KEY, or " +
			"to run \"mailkin bootstrap --new\".")
	}
	made, fate, err := k.make(ctx, a.URL)
	if err != nil {
		return Access{}, err
	}
	return k.access(made, "The temporary mailbox "+ended.Mailbox+" has ended, with all its mail. A new one was made: "+
		made.Mailbox+", until "+until(made)+"."+fate)
}

// make makes a temporary mailbox and keeps it. Where that is not possible, fate is a sentence that says so.
func (k *Keeper) make(ctx context.Context, url string) (a Account, fate string, err error) {
	if a, err = k.bootstrap(ctx, url); err != nil {
		return a, "", err
	}
	kept, err := k.keep.Save(a)
	k.own = Account{}
	switch {
	case err != nil:
		k.own, fate = a, " It could not be kept for later runs: "+oneLine(err.Error())+"."
	case !kept:
		k.own, fate = a, " It is known to this run alone."
	}
	return a, fate, nil
}

// bootstrap makes a temporary mailbox.
func (k *Keeper) bootstrap(ctx context.Context, url string) (Account, error) {
	c, err := k.dial(Account{URL: url})
	if err != nil {
		return Account{}, advice("The configuration is not right: " + oneLine(err.Error()) +
			". Tell your user to check MAILKIN_URL.")
	}
	made, err := c.Bootstrap(ctx, "")
	if err != nil {
		return Account{}, err
	}
	return Account{URL: url, Key: made.APIKey, Mailbox: made.Mailbox, ExpiresAt: made.ExpiresAt.Time}, nil
}

func until(a Account) string {
	at, _ := timestamp(a.ExpiresAt).(string)
	return at
}

// Kind implements Source. What a key is that was set for this run is asked once; what is kept says it.
func (k *Keeper) Kind(ctx context.Context) keyKind {
	if k.lock(ctx) != nil {
		return keyKind{}
	}
	defer k.unlock()
	a, err := k.current()
	if err != nil || !a.Given {
		return keyKind{temporary: err == nil && (a.Key == "" || a.temporary())}
	}
	is, asked := k.given[a.Key]
	if asked {
		return is
	}
	c, err := k.dial(a)
	if err != nil {
		return keyKind{}
	}
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	me, err := c.Me(ctx)
	if err != nil {
		return keyKind{} // all tools are shown: a call says what is wrong
	}
	k.given[a.Key] = kindOf(me)
	return k.given[a.Key]
}

// askTime is how long a list of tools may be held up by a service that does not answer.
const askTime = 2 * time.Second

// Create implements Source.
func (k *Keeper) Create(ctx context.Context, another bool) (Created, error) {
	if err := k.lock(ctx); err != nil {
		return Created{}, err
	}
	defer k.unlock()
	a, err := k.current()
	if err != nil {
		return Created{}, err
	}
	if a.Key != "" && a.temporary() && !another && k.lives(ctx, a) {
		return Created{Mailbox: a.Mailbox, ExpiresAt: a.ExpiresAt, Note: "This is the mailbox that the tools " +
			"already use. " + nextStep}, nil
	}
	if a.Key != "" && !a.temporary() {
		return k.additional(ctx, a, another)
	}
	made, fate, err := k.make(ctx, a.URL)
	if err != nil {
		return Created{}, err
	}
	return Created{Mailbox: made.Mailbox, ExpiresAt: made.ExpiresAt, Note: "The tools use this mailbox from now on." +
		fate + " " + nextStep}, nil
}

// additional makes a temporary mailbox that does not take the place of the account in use: that one is permanent, or
// somebody's choice.
func (k *Keeper) additional(ctx context.Context, a Account, another bool) (Created, error) {
	if a.Given && !another {
		if me, ok := k.givenTemporary(ctx, a); ok {
			return Created{Mailbox: me.Mailbox, ExpiresAt: me.ExpiresAt.Time, Note: "This is the mailbox that the " +
				"tools already use. " + nextStep}, nil
		}
	}
	made, err := k.bootstrap(ctx, a.URL)
	if err != nil {
		return Created{}, err
	}
	stays := a.Mailbox
	if stays == "" {
		stays = "the mailbox of the key that was set"
	}
	return Created{Mailbox: made.Mailbox, Key: made.Key, ExpiresAt: made.ExpiresAt,
		Note: "The tools stay with " + stays + ". To use the new mailbox, start the server with api_key as " +
			"MAILKIN_API_KEY, or use the HTTP interface with it."}, nil
}

// givenTemporary tells whether a key that was set for this run is one of a temporary mailbox, and of which. One that
// cannot be asked about is taken not to be.
func (k *Keeper) givenTemporary(ctx context.Context, a Account) (*api.Me, bool) {
	c, err := k.dial(a)
	if err != nil {
		return nil, false
	}
	me, err := c.Me(ctx)
	return me, err == nil && me.Scope == scopeProvisional
}

const nextStep = "Give its address out, then call wait_for_code or wait_for_email."

// lives tells whether an account's key still works. One that cannot be asked about is taken to.
func (k *Keeper) lives(ctx context.Context, a Account) bool {
	c, err := k.dial(a)
	if err != nil {
		return false
	}
	_, err = c.Me(ctx)
	return !isEnded(err)
}
