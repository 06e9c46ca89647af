package wake

import "github.com/mailkin/mailkin/internal/mailbox"

// Topic is what a notice to other nodes is about. The letters go over the wire between nodes of different versions:
// none is ever used for something else.
type Topic byte

const (
	Mail    Topic = 'm' // a mailbox has a new event
	Queue   Topic = 'q' // there is mail to send
	Hooks   Topic = 'h' // there are webhooks to post
	Index   Topic = 'i' // there are messages to index, or to forget
	Vectors Topic = 'v' // there are vectors to make
	// Changed: what nodes remember of this mailbox, or of the deployment's domains, is stale.
	Changed Topic = 'c'
	Labels  Topic = 'l' // messages of a mailbox are kept for a shorter time now that their labels are others
	// Everything: notices were missed, or there were too many, or one was not understood. Everything that waits
	// looks for themselves, and what is remembered of anything is stale.
	Everything Topic = '*'
)

// Known tells whether this version has the topic.
func (t Topic) Known() bool {
	switch t {
	case Mail, Queue, Hooks, Index, Vectors, Changed, Labels, Everything:
		return true
	}
	return false
}

// Notice tells other nodes what a Hub tells its own: a signal and no data. It may be lost, come late, twice, or with
// others in any order.
type Notice struct {
	Topic Topic
	Num   mailbox.Num // 0 for the deployment as a whole
}
