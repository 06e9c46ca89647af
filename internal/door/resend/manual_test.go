package resend_test

import (
	"testing"

	"github.com/mailkin/mailkin/internal/door/doortest"
	"github.com/mailkin/mailkin/internal/door/resend"
)

// The page says of every route what the table of routes does.
func TestManual(t *testing.T) { doortest.Manual(t, resend.New(nil)) }
