package compose

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"
)

const nestedMessage = "message/rfc822"

// fitsAsIs says whether an attached message can go as message/rfc822. That type may not be encoded (RFC 2046 5.2.1), so
// its bytes have to be fit for every server as they are: ASCII, lines that end with CR LF and are not too long. A
// message that is not goes as application/octet-stream in base64, under its name: changed line ends or characters would
// be another message, with broken signatures.
func (a Attachment) fitsAsIs(stem string) (ok bool, err error) {
	if a.Size == 0 {
		return false, nil
	}
	rc, err := a.Open()
	if err != nil {
		return false, fmt.Errorf("open attachment %q: %w", clip(a.Filename), err)
	}
	defer func() {
		if cerr := rc.Close(); err == nil && cerr != nil {
			ok, err = false, fmt.Errorf("close attachment %q: %w", clip(a.Filename), cerr)
		}
	}()
	lines := bufio.NewReaderSize(rc, 4096)
	for {
		line, err := lines.ReadSlice('\n')
		if err == bufio.ErrBufferFull {
			return false, nil
		}
		if err != nil && err != io.EOF {
			return false, fmt.Errorf("read attachment %q: %w", clip(a.Filename), err)
		}
		text, ended := bytes.CutSuffix(line, []byte("\r\n"))
		if ended == (err == io.EOF) || !isPlainLine(text, stem) {
			return false, nil
		}
		if err == io.EOF {
			return true, nil
		}
	}
}

func isPlainLine(line []byte, stem string) bool {
	odd := func(c byte) bool { return c == 0 || c == '\r' || c == '\n' || c >= 0x80 }
	return len(line) <= maxLine && !slices.ContainsFunc(line, odd) && !bytes.Contains(line, []byte(stem))
}
