package link

import (
	"sync"

	"github.com/mailkin/mailkin/internal/lexicon"
)

// What words can mean here.
const (
	verify   lexicon.Set = 1 << iota // confirm, verify, activate, unlock
	finish                           // complete, finish
	reset                            // reset, change, choose, forgot
	recovers                         // get back into
	password                         // password, credentials
	signIn                           // sign in, log in
	magic                            // a link that signs in
	leave                            // unsubscribe, opt out
	email                            // e-mail, address
	account                          // account, profile, identity
	signUp                           // registration, membership
	list                             // newsletter, subscription
	click                            // click, link, button, here, continue
	alarm                            // it was not you; a new sign-in was seen
	ignore                           // ignore this mail
	business                         // order, booking, payment, offer, invitation: other matters
	invite                           // invitation, invited
	decline                          // turn down
	away                             // help, privacy, settings, view in browser: never what a mail is about
)

// texts is the table of all words. It is made at the first use.
var texts = sync.OnceValue(func() *lexicon.Table {
	return table(map[string]lexicon.Set{
		"verify": verify, "finish": finish, "reset": reset, "recovers": recovers | reset, "password": password,
		"signIn": signIn,
		"magic":  magic, "leave": leave, "email": email, "account": account, "signUp": signUp, "list": list,
		"click": click,
		"alarm": alarm, "ignore": ignore, "business": business, "away": away,
		"invite": invite, "decline": decline,
	})
})

// urlWords is the table of the words of paths and parameters. They are English nearly everywhere.
var urlWords = sync.OnceValue(func() *lexicon.Table {
	return table(map[string]lexicon.Set{
		"urlVerify": verify, "urlReset": reset, "urlRecovers": recovers, "urlPassword": password, "urlSignIn": signIn,
		"urlMagic": magic, "urlLeave": leave, "urlEmail": email, "urlAccount": account, "urlSignUp": signUp,
		"urlList":     list,
		"urlBusiness": business, "urlInvite": invite,
	})
})

func table(means map[string]lexicon.Set) *lexicon.Table {
	s := lexicon.Section{Name: "link", Means: means, Joined: ^lexicon.Set(0)}
	return s.Compile()
}
