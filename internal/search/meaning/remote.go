package meaning

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

const (
	// batch is how many texts go with one request.
	batch = 32
	// maxRemoteText is how many bytes of a text are sent.
	maxRemoteText = 8 << 10
	// maxAnswer is how many bytes of an answer are read: 32 vectors of the most dimensions, in decimal.
	maxAnswer = 4 << 20
	// maxRequest is how long one request may take.
	maxRequest = 30 * time.Second
)

var (
	// never with the URL, which has the key in it
	errURL    = errors.New("the URL of the embeddings is none that can be used")
	errAnswer = errors.New("the answer is not what was asked for")
)

// StatusError is an answer of an endpoint that is no success.
type StatusError struct{ Code int }

func (e *StatusError) Error() string { return fmt.Sprintf("the endpoint answers %d", e.Code) }

// Temporary tells whether the same request may succeed later.
func (e *StatusError) Temporary() bool {
	return e.Code == http.StatusRequestTimeout || e.Code == http.StatusTooManyRequests || e.Code >= 500
}

// Remote has vectors made by an OpenAI-compatible endpoint. It may be used by many goroutines at once. It never tries
// again: that is for the caller, who knows what waits.
type Remote struct {
	client           *http.Client
	url              string
	key, model, name string
}

// NewRemote reads what there is to know from one URL:
//
//	https://KEY@host/v1/embeddings?model=NAME
//
// The key, sent as a bearer token, is the password or else the user name; without either none is sent. The model is the
// parameter of that name; without it the endpoint is left to choose, and host and path stand for its name. Other
// parameters are sent as they are. A path that is empty becomes /v1/embeddings, and one that ends in /v1 gets
// /embeddings after it. Redirects are not followed.
func NewRemote(raw string, transport http.RoundTripper) (*Remote, error) {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, errURL
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return nil, errURL
	}
	r := &Remote{
		client: &http.Client{Transport: transport, CheckRedirect: func(*http.Request,
			[]*http.Request) error {
			return http.ErrUseLastResponse
		}},
		model: query.Get("model"),
	}
	if password, ok := u.User.Password(); ok {
		r.key = password
	} else {
		r.key = u.User.Username()
	}
	query.Del("model")
	u.RawQuery, u.User, u.Fragment = query.Encode(), nil, ""
	switch path := strings.TrimSuffix(u.Path, "/"); {
	case path == "":
		u.Path = "/v1/embeddings"
	case strings.HasSuffix(path, "/v1"):
		u.Path = path + "/embeddings"
	}
	r.url, r.name = u.String(), r.model
	if r.name == "" {
		r.name = u.Host + u.Path
	}
	return r, nil
}

// Model is the name of the model.
func (r *Remote) Model() string { return r.name }

// String tells the model, and keeps the key to itself.
func (r *Remote) String() string { return "embeddings by " + r.name }

// Vectors gives each text its vector, and nil to a text without a visible character, which endpoints refuse. Requests
// have 32 texts at most and 30 seconds each. An error means that there are no vectors at all.
func (r *Remote) Vectors(ctx context.Context, texts []string) ([]Vector, error) {
	vectors := make([]Vector, len(texts))
	var asked []int
	for i, text := range texts {
		if strings.TrimSpace(text) != "" {
			asked = append(asked, i)
		}
	}
	for len(asked) > 0 {
		n := min(batch, len(asked))
		part := make([]string, n)
		for i, at := range asked[:n] {
			part[i] = clip(texts[at])
		}
		got, err := r.ask(ctx, part)
		if err != nil {
			return nil, fmt.Errorf("ask for embeddings: %w", err)
		}
		for i, at := range asked[:n] {
			vectors[at] = got[i]
		}
		asked = asked[n:]
	}
	return vectors, nil
}

// clip is what of a text is sent.
func clip(text string) string {
	return strings.ToValidUTF8(text[:min(len(text), maxRemoteText)], "")
}

// ask makes one request.
func (r *Remote) ask(ctx context.Context, texts []string) ([]Vector, error) {
	ctx, cancel := context.WithTimeout(ctx, maxRequest)
	defer cancel()
	fields := map[string]any{"input": texts, "encoding_format": "float"}
	if r.model != "" {
		fields["model"] = r.model
	}
	body, err := json.Marshal(fields)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, r.url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	if r.key != "" {
		request.Header.Set("Authorization", "Bearer "+r.key)
	}
	response, err := r.client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, &StatusError{Code: response.StatusCode}
	}
	return readAnswer(io.LimitReader(response.Body, maxAnswer), len(texts))
}

// readAnswer takes the vectors from an answer: one for each text, all of one size.
func readAnswer(body io.Reader, n int) ([]Vector, error) {
	var answer struct {
		Data []struct {
			Index     int
			Embedding []float32
		}
	}
	if err := json.NewDecoder(body).Decode(&answer); err != nil {
		return nil, fmt.Errorf("%w: %w", errAnswer, err)
	}
	if len(answer.Data) != n {
		return nil, fmt.Errorf("%w: %d vectors for %d texts", errAnswer, len(answer.Data), n)
	}
	vectors := make([]Vector, n)
	for _, d := range answer.Data {
		dims := len(d.Embedding)
		switch {
		case d.Index < 0 || d.Index >= n || vectors[d.Index] != nil:
			return nil, fmt.Errorf("%w: vector number %d of %d", errAnswer, d.Index, n)
		case dims == 0 || dims > MaxDims || dims != len(answer.Data[0].Embedding):
			return nil, fmt.Errorf("%w: a vector of %d dimensions", errAnswer, dims)
		}
		vectors[d.Index] = round(d.Embedding)
	}
	return vectors, nil
}
