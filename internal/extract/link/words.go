package link

import (
	"sync"

	"github.com/mailkin/mailkin/internal/extract/stem"
)

// What words can mean here.
const (
	verify   stem.Set = 1 << iota // confirm, verify, activate, unlock
	finish                        // complete, finish
	reset                         // reset, change, choose, forgot
	recovers                      // get back into
	password                      // password, credentials
	signIn                        // sign in, log in
	magic                         // a link that signs in
	leave                         // unsubscribe, opt out
	email                         // e-mail, address
	account                       // account, profile, identity
	signUp                        // registration, membership
	list                          // newsletter, subscription
	click                         // click, link, button, here, continue
	alarm                         // it was not you; a new sign-in was seen
	ignore                        // ignore this mail
	business                      // order, booking, payment, offer, invitation: other matters
	away                          // help, privacy, settings, view in browser: never what a mail is about
)

// language is the stems of one language, parted by commas; see package stem.
type language struct {
	name string

	verify, finish, reset, recovers, password, signIn, magic, leave    string
	email, account, signUp, list, click, alarm, ignore, business, away string
}

// lexicon is the table of all words. It is made at the first use.
var lexicon = sync.OnceValue(func() *stem.Table {
	var rows []stem.Row
	for _, table := range [][]language{western, northern, eastern, asian} {
		for _, l := range table {
			rows = append(rows, l.rows()...)
		}
	}
	return stem.NewTable(rows...)
})

func (l language) rows() []stem.Row {
	return []stem.Row{
		{Means: verify, Stems: l.verify}, {Means: finish, Stems: l.finish},
		{Means: reset, Stems: l.reset}, {Means: recovers | reset, Stems: l.recovers},
		{Means: password, Stems: l.password}, {Means: signIn, Stems: l.signIn},
		{Means: magic, Stems: l.magic}, {Means: leave, Stems: l.leave},
		{Means: email, Stems: l.email}, {Means: account, Stems: l.account},
		{Means: signUp, Stems: l.signUp}, {Means: list, Stems: l.list},
		{Means: click, Stems: l.click}, {Means: alarm, Stems: l.alarm},
		{Means: ignore, Stems: l.ignore},
		{Means: business, Stems: l.business}, {Means: away, Stems: l.away},
	}
}
