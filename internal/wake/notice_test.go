package wake_test

import (
	"testing"

	"github.com/mailkin/mailkin/internal/wake"
)

// Nodes of different versions talk to each other, so the letters stay what they are.
func TestTopics(t *testing.T) {
	for letter, topic := range map[byte]wake.Topic{'m': wake.Mail, 'q': wake.Queue, 'h': wake.Hooks, 'i': wake.Index,
		'v': wake.Vectors, 'l': wake.Labels,
		'c': wake.Changed, '*': wake.Everything} {
		if byte(topic) != letter || !topic.Known() {
			t.Errorf("%c is %c, known: %v", letter, topic, topic.Known())
		}
	}
	for _, other := range []wake.Topic{0, 'M', 'z', 0xff} {
		if other.Known() {
			t.Errorf("%q is known", byte(other))
		}
	}
}
