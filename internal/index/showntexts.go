package index

import (
	"sync"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// Who searches a mailbox searches it again, and much of what is shown then was shown before: the best of the newest.
// Reading, unpacking and parsing a message takes longer than finding the words in its text.

const (
	// shownBytes is what the texts may take that are kept, and shownMost how long one of them is at most.
	shownBytes = 8 << 20
	shownMost  = 64 << 10
	// shownOverhead is about what a text takes besides its bytes.
	shownOverhead = 100
	// shownTime is after how long a text is dropped that nobody asked for: at most twice that.
	shownTime = 30 * time.Second
)

// shownTexts are the texts of messages that searches have shown, those that were asked for last. The text of a message
// never changes. Its zero value is ready to use.
type shownTexts struct {
	mu        sync.Mutex
	kept, old map[mailbox.ID]string // what is not asked for goes from the first to the second, and then is dropped
	bytes     int                   // of those kept
	turned    time.Time
}

// text returns the text of a message, if it is kept.
func (s *shownTexts) text(id mailbox.ID) (string, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text, ok := s.kept[id]
	if !ok {
		if text, ok = s.old[id]; ok {
			s.addLocked(id, text)
		}
	}
	return text, ok
}

// keep keeps the text of a message.
func (s *shownTexts) keep(id mailbox.ID, text string) {
	if len(text) > shownMost {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.addLocked(id, text)
}

func (s *shownTexts) addLocked(id mailbox.ID, text string) {
	size := len(text) + shownOverhead
	if s.bytes+size > shownBytes/2 {
		s.turnLocked()
	}
	if s.kept == nil {
		s.kept = make(map[mailbox.ID]string)
	}
	if _, ok := s.kept[id]; !ok {
		s.kept[id] = text
		s.bytes += size
	}
}

// turn drops what was not asked for since the turn before, if that is long ago.
func (s *shownTexts) turn(now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if now.Sub(s.turned) >= shownTime {
		s.turned = now
		s.turnLocked()
	}
}

func (s *shownTexts) turnLocked() { s.old, s.kept, s.bytes = s.kept, nil, 0 }

// DropTexts drops texts of messages that no search has asked for of late. It is called every few seconds.
func (ix *Index) DropTexts() { ix.shown.turn(time.Now()) }
