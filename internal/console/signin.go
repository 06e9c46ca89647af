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

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/mailbox"
)

// SignInTime is how long the link of a start can be used.
const SignInTime = 10 * time.Minute

// SignIn is a token that can be exchanged for the operator's credential: once, within ten minutes, and by somebody on
// this machine. It is kept in memory alone and ends with the process. Until somebody asks for it, there is none.
type SignIn struct {
	credential mailbox.Secret
	now        func() time.Time

	mu    sync.Mutex
	token string
	until time.Time
	used  bool
}

// NewSignIn can make a token for a credential.
func NewSignIn(credential mailbox.Secret, now func() time.Time) *SignIn {
	return &SignIn{credential: credential, now: now}
}

// Token is what the link carries. The first call makes it, and its time begins.
func (s *SignIn) Token() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.token == "" {
		var random [32]byte
		_, _ = rand.Read(random[:]) // never fails since Go 1.24
		s.token, s.until = base64.RawURLEncoding.EncodeToString(random[:]), s.now().Add(SignInTime)
	}
	return s.token
}

// made tells whether there is a token.
func (s *SignIn) made() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.token != ""
}

// redeem returns the credential for the token, the first time and in time.
func (s *SignIn) redeem(token string) (mailbox.Secret, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.token == "" {
		return "", false
	}
	given, own := sha256.Sum256([]byte(token)), sha256.Sum256([]byte(s.token))
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
	case c.links == nil || !c.links.made():
		refuse(w, http.StatusNotFound, api.Error{Error: "This server gives out no links to sign in with.",
			Code: "signin_disabled"})
		return
	case !c.local(r) || crossSite(r):
		refuse(w, http.StatusForbidden, api.Error{Error: "The link works only in a browser on the machine that the " +
			"server runs on.", Code: "not_local"})
		return
	}
	var asked map[string]string
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, signInBytes)).Decode(&asked); err != nil {
		refuse(w, http.StatusBadRequest, api.Error{Error: "The body is not a JSON object with a token.",
			Code: "invalid_body"})
		return
	}
	credential, ok := c.links.redeem(asked["token"])
	if !ok {
		refuse(w, http.StatusUnauthorized, api.Error{Error: "This link was used before, or is older than ten minutes.",
			Code: "signin_over"})
		return
	}
	c.log.Info("console: somebody on this machine signed in with the printed link")
	answer(w, http.StatusOK, map[string]string{"api_key": string(credential)})
}

// local tells whether a request comes straight from this machine: what a proxy passes on may come from anywhere.
func (c *Console) local(r *http.Request) bool {
	for _, name := range [...]string{"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto",
		"X-Real-Ip", "Via"} {
		if len(r.Header[name]) > 0 {
			return false
		}
	}
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return false
	}
	addr := peer.Addr().Unmap()
	return addr.IsLoopback() && !slices.ContainsFunc(c.proxies, func(p netip.Prefix) bool {
		return p.Contains(addr) ||
			p.Contains(peer.Addr())
	})
}

// crossSite tells whether a browser sent the request for a page of somebody else.
func crossSite(r *http.Request) bool {
	site := r.Header.Get("Sec-Fetch-Site")
	return site != "" && site != "same-origin"
}
