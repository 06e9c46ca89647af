package webhook

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"syscall"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// forbiddenError says that the guard refused an address. Its text is for the log alone.
type forbiddenError struct{ address string }

func (e *forbiddenError) Error() string {
	return fmt.Sprintf("webhook target %s is not a public address", e.address)
}

// guard decides which addresses may be connected to: public ones, and those that a setting allows.
type guard struct {
	allow func(netip.Addr) bool
}

// control is called by the dialer with the address of a socket before it is connected.
func (g guard) control(_ context.Context, _, address string, _ syscall.RawConn) error {
	target, err := netip.ParseAddrPort(address)
	if err != nil {
		return &forbiddenError{address}
	}
	// A network in the settings contains neither the mapped form of an address nor one with a zone.
	addr := target.Addr().Unmap().WithZone("")
	if mailbox.Public(addr) || g.allow(addr) {
		return nil
	}
	return &forbiddenError{address}
}

// dialer connects to what the guard lets through. Of a name with several addresses it tries each; those that are
// forbidden count as not reachable.
func (g guard) dialer(resolver *net.Resolver, timeout time.Duration) *net.Dialer {
	return &net.Dialer{Timeout: timeout, Resolver: resolver, ControlContext: g.control}
}
