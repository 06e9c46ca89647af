package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"io"
	"strconv"
	"time"
)

// bodySignature is the value of X-Webhook-Signature (SPEC 6.1).
func bodySignature(secret, body []byte) string {
	mac := hmac.New(sha256.New, secret)
	mac.Write(body)
	return "sha256=" + hex.EncodeToString(mac.Sum(nil))
}

// standardSignature is the value of webhook-signature (API 9). It covers the id and the time too, so that neither an
// old event nor one under another id can be passed off as new.
func standardSignature(secret []byte, id string, at time.Time, body []byte) string {
	mac := hmac.New(sha256.New, secret)
	_, _ = io.WriteString(mac, id+"."+unixSeconds(at)+".") // a hash takes everything
	mac.Write(body)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// standardSignatures are several where the mailbox's secret has just changed: receivers take the event if one of them
// fits.
func (s Shipment) standardSignatures() string {
	signed := standardSignature(s.MailboxSecret, s.ID, s.At, s.Body)
	for _, old := range s.OldSecrets {
		signed += " " + standardSignature(old, s.ID, s.At, s.Body)
	}
	return signed
}

func unixSeconds(at time.Time) string { return strconv.FormatInt(at.Unix(), 10) }
