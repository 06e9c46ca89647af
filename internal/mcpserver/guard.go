package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// What messages are refused with.
var (
	errBroken  = errors.New("internal error") // all that a caller learns of a mistake of ours
	errTooMany = fmt.Errorf("at most %d messages are answered in one request", mostMessages)
	errNoTool  = errors.New("the call names no tool")
)

// guard stands before everything that a message of the protocol can reach: a mistake there ends the message, not the
// process, in which other people's mail is received.
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
			if !known(call.Params.Name) {
				return nil, noSuchTool(call.Params.Name)
			}
		}
		return next(ctx, method, req)
	}
}

// known tells whether there is a tool of that name.
func known(name string) bool {
	return slices.ContainsFunc(tools(), func(t tool) bool { return t.name == name })
}

// noSuchTool says which tools there are.
func noSuchTool(name string) error {
	var names []string
	for _, t := range tools() {
		names = append(names, t.name)
	}
	said := fmt.Sprintf("There is no tool %q. The tools are %s.", clip(name), strings.Join(names, ", "))
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: said}
}
