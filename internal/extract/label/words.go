package label

import (
	"sync"

	"github.com/mailkin/mailkin/internal/extract/stem"
)

// What the words of a subject or a text can mean here.
const (
	failure    stem.Set = 1 << iota // a mail could not be delivered
	success                         // it was
	done                            // the same, as the first word of a subject
	automatic                       // automatic reply
	away                            // out of the office
	replies                         // Re:, Fwd:
	trade                           // order, receipt, invoice, shipment, booking
	alert                           // sign-in, password, security
	unanswered                      // do not reply; sent automatically
	leave                           // unsubscribe
	seen                            // the text was looked at
)

// language is the stems of one language, parted by commas; see package stem.
type language struct {
	name string

	failure, automatic, away, replies, trade, alert, unanswered, leave string
}

// lexicon is the table of all words. It is made at the first use.
var lexicon = sync.OnceValue(func() *stem.Table {
	texts() // so that no later mail waits for it
	rows := append(textRows(), stem.Row{Means: done, Stems: "delivered:,relayed:,expanded:"})
	for l := range languages {
		rows = append(rows, stem.Row{Means: replies, Stems: l.replies}, stem.Row{Means: trade, Stems: l.trade}, stem.Row{Means: alert, Stems: l.alert})
	}
	return stem.NewTable(rows...)
})

// texts is the table of what is looked for in a text. What is left out is asked of subjects alone, and is what texts have most.
var texts = sync.OnceValue(func() *stem.Table { return stem.NewTable(textRows()...) })

func textRows() []stem.Row {
	rows := []stem.Row{{Means: success, Stems: successful}}
	for l := range languages {
		rows = append(rows,
			stem.Row{Means: failure, Stems: l.failure}, stem.Row{Means: automatic, Stems: l.automatic}, stem.Row{Means: away, Stems: l.away},
			stem.Row{Means: unanswered, Stems: l.unanswered}, stem.Row{Means: leave, Stems: l.leave})
	}
	return rows
}

// languages goes through all of them.
func languages(yield func(*language) bool) {
	for _, table := range [][]language{western, eastern} {
		for i := range table {
			if !yield(&table[i]) {
				return
			}
		}
	}
}

// successful is how reports of delivery say that it went well. They are English in all programs that are known.
const successful = "successful mail delivery,successful delivery,delivery status notification (success,delivery status notification (relay," +
	"message was successfully delivered,successfully delivered to,was successfully relayed,has been successfully delivered,delivery notification: delivery has been successful,return receipt"
