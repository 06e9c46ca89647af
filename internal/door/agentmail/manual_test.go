package agentmail_test

import (
	"testing"

	"github.com/mailkin/mailkin/internal/door/agentmail"
	"github.com/mailkin/mailkin/internal/door/doortest"
)

// The page says of every route what the table of routes does.
func TestManual(t *testing.T) { doortest.Manual(t, agentmail.New(nil)) }
