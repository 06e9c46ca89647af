package seal

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// vaultMaster is a key of the transit engine of HashiCorp Vault, or of OpenBao, which speaks the same.
type vaultMaster struct {
	base       url.URL // of the engine: https://host/v1/transit
	key, token string
}

// VaultMaster reads a setting of the form https://:TOKEN@host:8200/MOUNT/KEY. Errors do not show it.
func VaultMaster(setting string) (Master, error) {
	u, err := url.Parse(setting)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User == nil {
		return nil, errors.New("it is not of the form https://:token@host:8200/transit/key")
	}
	token, _ := u.User.Password()
	mount, key := path.Split(strings.Trim(u.Path, "/"))
	mount = strings.Trim(mount, "/")
	if token == "" || mount == "" || key == "" {
		return nil, errors.New("it is not of the form https://:token@host:8200/transit/key")
	}
	base := url.URL{Scheme: u.Scheme, Host: u.Host, Path: "/v1/" + mount}
	return &vaultMaster{base: base, key: key, token: token}, nil
}

func (v *vaultMaster) Wrap(ctx context.Context, key []byte) ([]byte, error) {
	out, err := v.call(ctx, "encrypt", map[string]string{"plaintext": base64.StdEncoding.EncodeToString(key)})
	return []byte(out["ciphertext"]), err
}

func (v *vaultMaster) Unwrap(ctx context.Context, wrapped []byte) ([]byte, error) {
	out, err := v.call(ctx, "decrypt", map[string]string{"ciphertext": string(wrapped)})
	if err != nil {
		return nil, err
	}
	return base64.StdEncoding.DecodeString(out["plaintext"])
}

const (
	vaultTime = 10 * time.Second
	vaultMost = 1 << 20 // of an answer
)

// vaultClient follows no redirect: the token is for one server.
var vaultClient = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error {
	return http.ErrUseLastResponse
}}

func (v *vaultMaster) call(ctx context.Context, what string, body map[string]string) (map[string]string, error) {
	ctx, stop := context.WithTimeout(ctx, vaultTime)
	defer stop()
	b, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	u := v.base.JoinPath(what, v.key)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, u.String(), bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	req.Header.Set("X-Vault-Token", v.token)
	req.Header.Set("Content-Type", "application/json")
	resp, err := vaultClient.Do(req)
	if err != nil {
		return nil, fmt.Errorf("ask the key service: %w", err)
	}
	defer func() { _ = resp.Body.Close() }() // only read from
	var answer struct {
		Data   map[string]json.RawMessage
		Errors []string
	}
	err = json.NewDecoder(io.LimitReader(resp.Body, vaultMost)).Decode(&answer)
	if resp.StatusCode != http.StatusOK {
		text := fmt.Sprintf("status %d", resp.StatusCode)
		if len(answer.Errors) > 0 {
			text += ": " + mailbox.Clip(strings.Join(strings.Fields(strings.Join(answer.Errors, "; ")), " "), 200)
		}
		text = strings.ReplaceAll(text, v.token, "…")
		if resp.StatusCode < http.StatusInternalServerError && resp.StatusCode != http.StatusTooManyRequests {
			return nil, fmt.Errorf("%w cannot be used: the service of keys answers %s to %s", ErrMaster, text, what)
		}
		return nil, fmt.Errorf("ask the key service to %s: %s", what, text)
	}
	if err != nil {
		return nil, fmt.Errorf("ask the key service to %s: %w", what, err)
	}
	out := map[string]string{}
	for name, raw := range answer.Data {
		var text string
		if json.Unmarshal(raw, &text) == nil { // the version of the key is a number
			out[name] = text
		}
	}
	return out, nil
}
