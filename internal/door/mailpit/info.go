package mailpit

import (
	"net/http"
	"time"

	"github.com/mailkin/mailkin/internal/door"
	"github.com/mailkin/mailkin/internal/service"
)

type info struct {
	Version       string
	LatestVersion string
	Database      string
	DatabaseSize  int64
	Messages      int
	Unread        int
	Tags          map[string]int
	RuntimeStats  runtimeStats
}

type runtimeStats struct {
	Uptime           int64
	Memory           uint64
	MessagesDeleted  int64
	SMTPAccepted     int64
	SMTPAcceptedSize int64
	SMTPRejected     int64
	SMTPIgnored      int64
}

// info tells about the server. Which version is the latest would have to be asked elsewhere.
func (e *edge) info(c *door.Call, in service.Access) error {
	found, err := e.svc.ListCaptured(c.Context(), in, service.CapturedQuery{}, 0, 0)
	if err != nil {
		return err
	}
	u := e.opt.Usage()
	return c.JSON(http.StatusOK, info{Version: e.opt.Version, LatestVersion: e.opt.Version, Database: u.Database,
		DatabaseSize: u.DatabaseSize, Messages: found.Total, Unread: found.Unread, Tags: found.Tags,
		RuntimeStats: runtimeStats{Uptime: int64(time.Since(u.Started).Seconds()), Memory: u.Memory,
			MessagesDeleted: found.Deleted, SMTPRejected: u.Rejected,
			// QUIRK: Mailpit counts what is handed in to its API as mail by SMTP
			SMTPAccepted: u.Accepted + e.sent.Load(), SMTPAcceptedSize: u.AcceptedBytes + e.sentBytes.Load()}})
}

type relay struct {
	Enabled            bool
	SMTPServer         string
	ReturnPath         string
	AllowedRecipients  string
	BlockedRecipients  string
	OverrideFrom       string
	PreserveMessageIDs bool
	RecipientAllowlist string
}

type webui struct {
	Label               string
	MessageRelay        relay
	SpamAssassin        bool
	ChaosEnabled        bool
	DuplicatesIgnored   bool
	HideDeleteAllButton bool
}

// webui tells what a page for people would show.
func (e *edge) webui(c *door.Call, _ service.Access) error {
	return c.JSON(http.StatusOK, webui{ChaosEnabled: true})
}
