package httpapi

import (
	"strings"
	"testing"
)

func TestUnsubscribePage(t *testing.T) {
	for _, s := range []scenario{
		{name: "asks", path: "/u/abc", status: 200, contains: []string{"Unsubscribe?", `<form method="post">`,
			"&lt;b&gt;ann@x.example", ownAddress}},
		{name: "leads to nothing", path: "/u/unknown", status: 404, contains: []string{"It leads to nothing."}},
	} {
		s.key = "-"
		s.runForm(t)
	}
	for name, body := range map[string]string{formType: "List-Unsubscribe=One-Click",
		"Content-Type: multipart/form-data; boundary=b": "--b\r\nContent-Disposition: form-data; " +
			"name=\"List-Unsubscribe\"\r\n\r\nOne-Click\r\n--b--\r\n", "X-Nothing: x": ""} {
		s := scenario{name: strings.Fields(name)[1], method: post, path: "/u/abc", key: "-", header: []string{name},
			body: body, status: 200, contains: []string{"Unsubscribed", "gets no more mail"}}
		s.runForm(t)
	}
}
