package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// What messages are refused with.
var (
	errBroken  = errors.New("internal error") // all that a caller learns of a mistake of ours
	errTooMany = fmt.Errorf("at most %d messages are answered in one request", mostMessages)
	errNoTool  = errors.New("the call names no tool")
)

// guard stands before everything that a message of the protocol can reach: a mistake there ends the message, not the process, in which other
// people's mail is received.
func (h *host) guard(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (res mcp.Result, err error) {
		defer func() {
			if p := recover(); p != nil {
				h.log.ErrorContext(ctx, "panic", "method", method, "panic", p, "stack", string(debug.Stack()))
				res, err = nil, errBroken
			}
		}()
		if v := visitOf(ctx); v != nil {
			if v.messages.Add(1) > mostMessages {
				return nil, errTooMany
			}
			leave, err := v.enter(ctx)
			if err != nil {
				return nil, err
			}
			defer leave()
		}
		if call, ok := req.(*mcp.CallToolRequest); ok {
			if call.Params == nil {
				return nil, errNoTool
			}
			// QUIRK: clients that have no arguments send null, which the library does not take.
			if bytes.Equal(bytes.TrimSpace(call.Params.Arguments), []byte("null")) {
				call.Params.Arguments = json.RawMessage("{}")
			}
		}
		return next(ctx, method, req)
	}
}
