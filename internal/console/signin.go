package console

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/wire"
)

// SignInTime is how long the link of a start can be used.
const SignInTime = 10 * time.Minute

// SignIn is a token that can be exchanged for the operator's credential: once, within ten minutes, and by somebody on this
// machine. It is kept in memory alone and ends with the process.
type SignIn struct {
	token      string
	credential mailbox.Secret
	until      time.Time
	now        func() time.Time

	mu   sync.Mutex
	used bool
}

// NewSignIn makes a token for a credential.
func NewSignIn(credential mailbox.Secret, now func() time.Time) *SignIn {
	var random [32]byte
	_, _ = rand.Read(random[:]) // never fails since Go 1.24
	return &SignIn{
		token: base64.RawURLEncoding.EncodeToString(random[:]), credential: credential,
		until: now().Add(SignInTime), now: now,
	}
}

// Token is what the link carries.
func (s *SignIn) Token() string { return s.token }

// redeem gives the credential for the token, the first time and in time.
func (s *SignIn) redeem(token string) (mailbox.Secret, bool) {
	given, own := sha256.Sum256([]byte(token)), sha256.Sum256([]byte(s.token))
	s.mu.Lock()
	defer s.mu.Unlock()
	if subtle.ConstantTimeCompare(given[:], own[:]) != 1 || s.used || !s.now().Before(s.until) {
		return "", false
	}
	s.used = true
	return s.credential, true
}

// signInBytes is more than a request has.
const signInBytes = 1 << 10

// signIn exchanges a token.
func (c *Console) signIn(w http.ResponseWriter, r *http.Request) {
	switch {
	case c.links == nil:
		refuse(w, http.StatusNotFound, wire.Error{Error: "This server gives out no links to sign in with.", Code: "signin_disabled"})
		return
	case !c.local(r) || crossSite(r):
		refuse(w, http.StatusForbidden, wire.Error{Error: "The link works only in a browser on the machine that the server runs on.", Code: "not_local"})
		return
	}
	var asked map[string]string
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, signInBytes)).Decode(&asked); err != nil {
		refuse(w, http.StatusBadRequest, wire.Error{Error: "The body is not a JSON object with a token.", Code: "invalid_body"})
		return
	}
	credential, ok := c.links.redeem(asked["token"])
	if !ok {
		refuse(w, http.StatusUnauthorized, wire.Error{Error: "This link was used before, or is older than ten minutes.", Code: "signin_over"})
		return
	}
	c.log.Info("console: somebody on this machine signed in with the printed link")
	answer(w, http.StatusOK, map[string]string{"api_key": string(credential)})
}

// local tells whether a request comes straight from this machine: what a proxy passes on may come from anywhere.
func (c *Console) local(r *http.Request) bool {
	for _, name := range [...]string{"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-Ip", "Via"} {
		if len(r.Header[name]) > 0 {
			return false
		}
	}
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return false
	}
	addr := peer.Addr().Unmap()
	return addr.IsLoopback() && !slices.ContainsFunc(c.proxies, func(p netip.Prefix) bool { return p.Contains(addr) || p.Contains(peer.Addr()) })
}

// crossSite tells whether a browser sent the request for a page of somebody else.
func crossSite(r *http.Request) bool {
	site := r.Header.Get("Sec-Fetch-Site")
	return site != "" && site != "same-origin"
}
