package view

import (
	"encoding/base64"
	"net/url"
	"strings"
)

// addData reads a style sheet that stands in its own address. Browsers apply it and most mail programs do not, so its
// rules count as unsure.
func (s *sheet) addData(address string) {
	const scheme = "data:text/css"
	if len(address) < len(scheme) || !strings.EqualFold(address[:len(scheme)], scheme) {
		return
	}
	kind, content, _ := strings.Cut(address[len(scheme):], ",")
	css, err := url.PathUnescape(content)
	if err != nil {
		css = content
	}
	if strings.HasSuffix(lowered(kind), ";base64") {
		if raw, err := base64.StdEncoding.DecodeString(css); err == nil {
			css = string(raw)
		}
	}
	doubt := s.doubt
	s.doubt = true
	s.add(css)
	s.doubt = doubt
}
