package mcpserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Messages are looked at before the protocol's library has them: it tells of what it does not understand in words of
// its own, with names of its types, over HTTP in plain text, and over standard input it ends.

// method is what a method of the protocol takes.
type method struct {
	params reflect.Type
	form   int
}

// Forms of a method.
const (
	bare     = iota // may come without params
	needs           // does not
	notified        // has no id, and is not answered
)

func takes[T any](form int) method { return method{reflect.TypeFor[T](), form} }

// methods are those that the library knows.
var methods = map[string]method{
	"completion/complete":              takes[mcp.CompleteParams](needs),
	"initialize":                       takes[mcp.InitializeParams](needs),
	"logging/setLevel":                 takes[struct{ Level string }](needs),
	"ping":                             takes[mcp.PingParams](bare),
	"prompts/get":                      takes[mcp.GetPromptParams](needs),
	"prompts/list":                     takes[mcp.ListPromptsParams](bare),
	"resources/list":                   takes[mcp.ListResourcesParams](bare),
	"resources/read":                   takes[mcp.ReadResourceParams](needs),
	"resources/subscribe":              takes[mcp.SubscribeParams](needs),
	"resources/templates/list":         takes[mcp.ListResourceTemplatesParams](bare),
	"resources/unsubscribe":            takes[mcp.UnsubscribeParams](needs),
	"server/discover":                  takes[struct{}](bare),
	"subscriptions/listen":             takes[struct{}](needs),
	"tools/call":                       takes[mcp.CallToolParamsRaw](needs),
	"tools/list":                       takes[mcp.ListToolsParams](bare),
	"notifications/cancelled":          takes[mcp.CancelledParams](notified),
	"notifications/initialized":        takes[mcp.InitializedParams](notified),
	"notifications/progress":           takes[mcp.ProgressNotificationParams](notified),
	"notifications/roots/list_changed": takes[struct{}](notified),
}

// mistake is what is wrong with a message.
type mistake struct {
	id     jsonrpc.ID // not valid: it is not known
	code   int64
	said   string
	silent bool // the message wants no answer
}

// answer is the message that tells of it.
func (m *mistake) answer() []byte {
	var id any
	if m.id.IsValid() {
		id = m.id.Raw()
	}
	out, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": id, "error": map[string]any{"code": m.code, "message": m.said},
	})
	if err != nil { // an id is a string or a number
		return nil
	}
	return out
}

// misread returns what is wrong with a message, or with the first of several; nil: the library can be given it.
func misread(raw []byte) *mistake {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || !json.Valid(raw) {
		return &mistake{code: jsonrpc.CodeParseError, said: "This is not JSON: a message of the protocol is one JSON " +
			"object."}
	}
	if raw[0] != '[' {
		return misreadOne(raw)
	}
	var batch []json.RawMessage
	if json.Unmarshal(raw, &batch) != nil || len(batch) == 0 {
		return &mistake{code: jsonrpc.CodeInvalidRequest, said: "There is no message in the list."}
	}
	for _, one := range batch {
		if m := misreadOne(one); m != nil {
			return m
		}
	}
	return nil
}

func misreadOne(raw []byte) *mistake {
	decoded, err := jsonrpc.DecodeMessage(raw)
	if err != nil {
		return &mistake{code: jsonrpc.CodeInvalidRequest,
			said: `A message has "jsonrpc": "2.0", a "method" that is a string, ` +
				`and an "id" that is a string or a number.`}
	}
	req, ok := decoded.(*jsonrpc.Request)
	if !ok {
		return nil // an answer
	}
	wrong := func(code int64, format string, a ...any) *mistake {
		return &mistake{id: req.ID, code: code, said: fmt.Sprintf(format, a...), silent: !req.ID.IsValid()}
	}
	m, ok := methods[req.Method]
	switch {
	case !ok:
		return wrong(jsonrpc.CodeMethodNotFound, "There is no method %q here.", clip(req.Method))
	case m.form == notified && req.ID.IsValid():
		return wrong(jsonrpc.CodeInvalidRequest, "%q is a notification, which has no id.", req.Method)
	case m.form != notified && !req.ID.IsValid():
		return wrong(jsonrpc.CodeInvalidRequest, "%q needs an id.", req.Method)
	}
	if said := m.misfit(req.Params); said != "" {
		return wrong(jsonrpc.CodeInvalidParams, "%s of %q.", said, req.Method)
	}
	return nil
}

// misfit tells what is wrong with the params of a method; empty: nothing.
func (m method) misfit(params json.RawMessage) string {
	params = bytes.TrimSpace(params)
	switch {
	case len(params) == 0 || string(params) == "null":
		if m.form == needs {
			return "The params are missing"
		}
		return ""
	case params[0] != '{':
		return "The params must be an object; they are not in the call"
	}
	err := json.Unmarshal(params, reflect.New(m.params).Interface())
	var field *json.UnmarshalTypeError
	switch {
	case err == nil:
		return ""
	case errors.As(err, &field) && field.Field != "":
		return fmt.Sprintf("%q is not of the right type in the params",
			field.Field[strings.LastIndexByte(field.Field, '.')+1:])
	}
	return "Something is not of the right type in the params"
}
