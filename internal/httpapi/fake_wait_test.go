package httpapi

import (
	"context"
	"io"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

func (f *fake) Bootstrap(_ context.Context, r service.BootstrapRequest) (service.Bootstrapped, error) {
	box := mailbox.Mailbox{Address: "agent-0123456789ab@mailkin.example", Scope: mailbox.Provisional,
		CreatedAt: fakeTime, ExpiresAt: fakeTime.Add(72 * time.Hour)}
	return service.Bootstrapped{CreatedMailbox: service.CreatedMailbox{Mailbox: box, Key: fakeSecret},
		Replayed: f.replayed, Event: 17}, f.did(r)
}

func (f *fake) StartClaim(ctx context.Context, r service.ClaimRequest) (service.StartedClaim, error) {
	if r.Key != "" {
		who, err := f.Authenticate(ctx, r.Key)
		switch {
		case err != nil:
			return service.StartedClaim{}, err
		case who.Halted():
			return service.StartedClaim{}, mailbox.Errorf(mailbox.Paused, "x", "y")
		}
	}
	claim := mailbox.Claim{Name: r.Name, Address: r.Name + "@mailkin.example", CreatedAt: fakeTime,
		ExpiresAt: fakeTime.Add(mailbox.ClaimTime)}
	if r.Name == "" {
		claim.Address = ownAddress
	}
	return service.StartedClaim{Claim: claim, Session: "the-session", Link: "the/link"}, f.did(r)
}

func (f *fake) ShowClaim(_ context.Context, session string) (service.ShownClaim, error) {
	if session == "unknown" {
		return service.ShownClaim{}, mailbox.Errorf(mailbox.NotFound, "not_found", "There is no such claim.")
	}
	return f.claim, nil
}

func (f *fake) ConfirmClaim(ctx context.Context, session string, by mailbox.Secret) (service.ConfirmedClaim, error) {
	f.by = append(f.by, by)
	if f.claim.NeedsOperator {
		who, err := f.Authenticate(ctx, by)
		if err == nil && who.Scope != mailbox.Operator {
			err = mailbox.Errorf(mailbox.Denied, "scope_denied", "Only the operator can confirm a claim.")
		}
		if err != nil {
			return service.ConfirmedClaim{}, err
		}
	}
	return f.confirmed, f.did(session)
}

func (f *fake) PollClaim(ctx context.Context, session string, by mailbox.Secret) (service.PolledClaim, error) {
	f.by = append(f.by, by)
	if by != "" {
		if _, err := f.Authenticate(ctx, by); err != nil {
			return service.PolledClaim{}, err
		}
	}
	if session == "unknown" {
		return service.PolledClaim{}, mailbox.Errorf(mailbox.NotFound, "not_found", "There is no such claim.")
	}
	return f.polled, f.did(session)
}

// hold is what a waiting call waits for, and what it tells of itself.
type hold struct {
	entered chan struct{} // it waits
	left    chan struct{} // its caller has gone
	after   time.Duration // or so much time has passed
}

func newHold(after time.Duration) *hold {
	return &hold{entered: make(chan struct{}), left: make(chan struct{}), after: after}
}

func (h *hold) wait(ctx context.Context) error {
	if h == nil {
		return nil
	}
	close(h.entered)
	enough := time.NewTimer(h.after)
	defer enough.Stop()
	select {
	case <-ctx.Done():
		close(h.left)
		return ctx.Err()
	case <-enough.C:
		return nil
	}
}

func (f *fake) Code(ctx context.Context, _ *service.Access, q service.CodeQuery) (*service.FullMessage, error) {
	if err := f.hold.wait(ctx); err != nil {
		return nil, err
	}
	return f.found, f.did(q)
}

func (f *fake) Wait(ctx context.Context, _ *service.Access, q service.WaitQuery) (*service.FullMessage, error) {
	if err := f.hold.wait(ctx); err != nil {
		return nil, err
	}
	return f.found, f.did(q)
}

func (f *fake) Stream(_ context.Context, in *service.Access, q service.StreamQuery) (service.Stream, error) {
	if err := f.did(q); err != nil {
		return nil, err
	}
	if f.stream == nil {
		f.stream = &fakeStream{}
	}
	f.stream.address, f.stream.began = in.Box.Address, time.Now()
	return f.stream, nil
}

// moment is what a stream gives at a time after its beginning.
type moment struct {
	after  time.Duration
	events []mailbox.Event
	err    error
}

// fakeStream returns what its script says and ends after its life. It keeps no time of its own.
type fakeStream struct {
	script  []moment
	life    time.Duration
	address string

	began  time.Time
	closed time.Time
}

func (s *fakeStream) Address() string { return s.address }
func (s *fakeStream) Close()          { s.closed = time.Now() }

// lasted is how long the stream was open.
func (s *fakeStream) lasted() time.Duration { return s.closed.Sub(s.began) }

func (s *fakeStream) Next(ctx context.Context, wait time.Duration) ([]mailbox.Event, error) {
	at, next := time.Now().Add(wait), moment{}
	if end := s.began.Add(s.life); !end.After(at) {
		at, next = end, moment{err: io.EOF}
	}
	if len(s.script) > 0 {
		if due := s.began.Add(s.script[0].after); !due.After(at) {
			at, next = due, s.script[0]
			s.script = s.script[1:]
		}
	}
	timer := time.NewTimer(time.Until(at))
	defer timer.Stop()
	select {
	case <-timer.C:
		return next.events, next.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (f *fake) PendingClaims(context.Context, service.Access) ([]service.ShownClaim, error) {
	return []service.ShownClaim{{Claim: mailbox.Claim{Link: [32]byte{1}, Address: "robin@mailkin.example",
		Client: "192.0.2.1", CreatedAt: fakeTime, ExpiresAt: fakeTime.Add(mailbox.ClaimTime)},
		Temporary: otherAddress}}, f.err
}

func (f *fake) ConfirmPending(_ context.Context, _ service.Access, id mailbox.ID) (service.ConfirmedClaim, error) {
	return service.ConfirmedClaim{Address: "robin@mailkin.example"}, f.did(id)
}

func (f *fake) DenyClaim(_ context.Context, _ service.Access, id mailbox.ID) error { return f.did(id) }
