package test

import (
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"slices"
	"strings"
)

// exchange is a request and its answer.
type exchange struct {
	q      *http.Request
	sent   []byte // nil: it is not looked at
	status int
	header http.Header
	body   []byte // nil: it is not looked at
}

// otherDoors have contracts of their own.
var otherDoors = []string{"/console", "/mcp"}

// olderForms answer in the types of older clients, which compat_*_test.go look at.
var olderForms = []string{"/api/email", "/api/thread", "/api/wait", "/api/extract"}

// check holds an exchange against the contract.
func (c *contract) check(x exchange) error {
	for _, door := range otherDoors {
		if x.q.URL.Path == door || strings.HasPrefix(x.q.URL.Path, door+"/") {
			return nil
		}
	}
	if x.q.Method == http.MethodOptions {
		return nil
	}
	if slices.Contains(olderForms, x.q.URL.Path) && x.status == http.StatusOK {
		return nil
	}
	where, op := c.find(x.q.Method, x.q.URL)
	if op == nil {
		return c.checkNowhere(x)
	}
	if err := c.checkAnswer(x, where, op); err != nil {
		return err
	}
	if x.status < 200 || x.status > 299 {
		return nil // what was asked may be as wrong as the test likes
	}
	return c.checkRequest(x, where, op)
}

// checkNowhere wants what is not in the contract to be refused.
func (c *contract) checkNowhere(x exchange) error {
	switch x.status {
	case 401, 403, 404, 405, 429, 500, 503:
	default:
		return fmt.Errorf("status %d, and it is not in the contract", x.status)
	}
	if x.body == nil || x.q.Method == http.MethodHead {
		return nil
	}
	for _, schema := range []string{"Error", "Unauthorized", "MailboxPaused"} {
		if c.fitsJSON("/components/schemas/"+schema, x.body) == nil {
			return nil
		}
	}
	return fmt.Errorf("the error is %.300s", x.body)
}

// checkAnswer wants status, headers and body to be promised.
func (c *contract) checkAnswer(x exchange, where string, op map[string]any) error {
	answers, _ := op["responses"].(map[string]any)
	status := fmt.Sprint(x.status)
	where, answer := c.follow(where+"/responses/"+status, answers[status])
	if answer == nil {
		return fmt.Errorf("status %d is not in the contract: %.300s", x.status, x.body)
	}
	headers, _ := answer["headers"].(map[string]any)
	for name, header := range headers {
		at, h := c.follow(where+"/headers/"+name, header)
		if err := c.checkValue(at, h, x.header.Values(name)); err != nil {
			return fmt.Errorf("header %s: %w", name, err)
		}
	}
	content, _ := answer["content"].(map[string]any)
	if x.q.Method == http.MethodHead {
		return nil
	}
	if content == nil {
		if len(x.body) > 0 {
			return fmt.Errorf("status %d has a body: %.300s", x.status, x.body)
		}
		return nil
	}
	return c.checkContent(where+"/content", content, x.header.Get("Content-Type"), x.body)
}

// checkContent wants a body to be of a promised type, and of its schema where it is JSON.
func (c *contract) checkContent(where string, content map[string]any, contentType string, body []byte) error {
	if content["*/*"] != nil {
		return nil
	}
	kind, _, err := mime.ParseMediaType(contentType)
	if err != nil || content[kind] == nil {
		return fmt.Errorf("content of type %q is not in the contract", contentType)
	}
	if kind != "application/json" || body == nil {
		return nil
	}
	if err := c.fitsJSON(where+"/"+pointer(kind)+"/schema", body); err != nil {
		return fmt.Errorf("%w\nin %.2000s", err, body)
	}
	return nil
}

// checkValue wants a parameter or header to fit its schema.
func (c *contract) checkValue(where string, parameter map[string]any, values []string) error {
	if len(values) == 0 && parameter["required"] == true {
		return errors.New("it is missing")
	}
	_, schema := c.follow(where+"/schema", parameter["schema"])
	for _, text := range values {
		var value any = text
		if schema["type"] == "integer" {
			value = json.Number(text)
		}
		if text == "" {
			continue // counts as not given
		}
		if err := c.fits(where+"/schema", value); err != nil {
			return fmt.Errorf("%q: %w", text, err)
		}
	}
	return nil
}

// checkRequest wants what was accepted to be promised to be accepted.
func (c *contract) checkRequest(x exchange, where string, op map[string]any) error {
	asked := x.q.URL.Query()
	parameters, _ := op["parameters"].([]any)
	for i, p := range parameters {
		at, p := c.follow(fmt.Sprintf("%s/parameters/%d", where, i), p)
		name, _ := p["name"].(string)
		var err error
		switch p["in"] {
		case "query":
			err = c.checkValue(at, p, asked[name])
			delete(asked, name)
		case "header":
			err = c.checkValue(at, p, x.q.Header.Values(name))
		}
		if err != nil {
			return fmt.Errorf("parameter %s: %w", name, err)
		}
	}
	for name := range asked {
		return fmt.Errorf("the parameter %s was sent, and is not in the contract", name)
	}
	body, _ := op["requestBody"].(map[string]any)
	content, _ := body["content"].(map[string]any)
	if content == nil || len(x.sent) == 0 {
		return nil
	}
	if err := c.checkContent(where+"/requestBody/content", content, x.q.Header.Get("Content-Type"),
		x.sent); err != nil {
		return fmt.Errorf("the request: %w", err)
	}
	return nil
}
