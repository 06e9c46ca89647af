package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"runtime/debug"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// errBroken is all that a caller learns of a mistake of ours.
var errBroken = errors.New("internal error")

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
		if call, ok := req.(*mcp.CallToolRequest); ok {
			if call.Params == nil {
				return nil, errors.New("the call names no tool")
			}
			// QUIRK: clients that have no arguments send null, which the library does not take.
			if bytes.Equal(bytes.TrimSpace(call.Params.Arguments), []byte("null")) {
				call.Params.Arguments = json.RawMessage("{}")
			}
		}
		return next(ctx, method, req)
	}
}
