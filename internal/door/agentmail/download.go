package agentmail

import (
	"net/http"
	"time"

	"github.com/mailkin/mailkin/internal/door"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

func (e *edge) downloadRoutes() []door.Route {
	return []door.Route{{Method: "GET", Path: "/download/{token}", Support: door.Yes, Open: true, Handle: e.download,
		Note: "Where `download_url` leads, for an hour."}}
}

// downloadTime is how long a download works.
const downloadTime = time.Hour

func (e *edge) download(c *door.Call) error {
	d, err := e.svc.Download(c.Context(), c.Value("token"))
	if err != nil {
		return err
	}
	return c.File(d)
}

// link is where a file can be had without a key.
type link struct {
	URL       string    `json:"download_url"`
	ExpiresAt time.Time `json:"expires_at"`
}

func (e *edge) link(c *door.Call, id mailbox.ID) (link, error) {
	until := time.Now().Add(downloadTime).UTC().Truncate(time.Second)
	token, err := e.svc.DownloadToken(c.In, c.In.Box.Num, id, until)
	return link{URL: c.Address("/download/" + token), ExpiresAt: until}, err
}

func (e *edge) raw(c *door.Call) error {
	m, err := e.read(c)
	if err != nil {
		return err
	}
	to, err := e.link(c, m.ID)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, struct {
		MessageID string `json:"message_id"`
		Size      int64  `json:"size"`
		link
	}{named(m.Message), m.Size, to})
}

func (e *edge) attachment(c *door.Call) error {
	id, err := e.find(c)
	if err != nil {
		return err
	}
	part, ok := mailbox.ParseID(c.Value("attachment"))
	if whole, _ := part.Whole(); !ok || whole != id {
		return notFound("attachment")
	}
	return e.linkTo(c, part)
}

// linkTo answers with an attachment and where it can be had.
func (e *edge) linkTo(c *door.Call, part mailbox.ID) error {
	id, index := part.Whole()
	m, err := e.svc.Message(c.Context(), c.In, id, service.MessageOptions{})
	if err != nil {
		return err
	}
	for _, p := range m.Detail.Parts {
		if p.Index != index {
			continue
		}
		to, err := e.link(c, part)
		if err != nil {
			return err
		}
		return c.JSON(http.StatusOK, struct {
			file
			link
		}{newFile(id, p), to})
	}
	return notFound("attachment")
}
