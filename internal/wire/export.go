package wire

import (
	"strconv"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// Exported is where an exported message is.
type Exported struct{ File, Cursor string }

// AppendExported writes the line of a message in the index of an export: the members of api.Exported.
func AppendExported(dst []byte, m *mailbox.Message, address string, at Exported) []byte {
	dst = appendMember(dst, `{"file":`, at.File)
	dst = appendMember(dst, `,"cursor":`, at.Cursor)
	dst = append(dst, `,"size_bytes":`...)
	dst = append(strconv.AppendInt(dst, m.Size, 10), ',')
	begin := len(dst)
	dst = AppendMessage(dst, m, address)
	return append(dst[:begin], dst[begin+1:]...)
}

// AppendExportNext writes the last line of an index where there are more messages: after which to go on.
func AppendExportNext(dst []byte, cursor string) []byte {
	return append(appendMember(dst, `{"next":`, cursor), '}')
}
