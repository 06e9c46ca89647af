package wire

import (
	"time"

	"github.com/mailkin/mailkin/api"
)

func at(t time.Time) api.Time { return api.Time{Time: t} }

func appendTime(dst []byte, t time.Time) []byte {
	return t.UTC().AppendFormat(dst, `"2006-01-02T15:04:05.000Z"`)
}
