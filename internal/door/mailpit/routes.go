package mailpit

import (
	"net/http"

	"github.com/mailkin/mailkin/internal/door"
)

const sendPath = "/api/v1/send"

func (e *edge) routes() []door.Route {
	const one = "/api/v1/message/{id}"
	yes := func(method, path string, handle func(*door.Call) error) door.Route {
		return door.Route{Method: method, Path: path, Support: door.Yes, Open: true, Handle: handle}
	}
	partly := func(method, path, note string, handle func(*door.Call) error) door.Route {
		return door.Route{Method: method, Path: path, Support: door.Partly, Note: note, Open: true, Handle: handle}
	}
	no := func(method, path, note string) door.Route {
		return door.Route{Method: method, Path: path, Support: door.No, Note: note, Open: true}
	}
	return []door.Route{
		yes("GET", "/livez", e.live),
		yes("GET", "/readyz", e.ready),
		yes("GET", "/api/v1/messages", e.open(e.list)),
		yes("PUT", "/api/v1/messages", e.open(e.mark)),
		yes("DELETE", "/api/v1/messages", e.open(e.remove)),
		yes("GET", "/api/v1/search", e.open(e.search)),
		yes("DELETE", "/api/v1/search", e.open(e.removeFound)),
		yes("GET", one, e.open(e.message)),
		yes("GET", one+"/headers", e.open(e.headers)),
		partly("GET", one+"/raw", "the bytes as they came: nothing is added to the header", e.open(e.raw)),
		partly("GET", one+"/part/{part}", "parts are numbered 1, 2, 3; with a policy that lets nothing run",
			e.open(e.part)),
		yes("POST", sendPath, e.open(e.send)),
		yes("GET", "/api/v1/tags", e.open(e.tags)),
		yes("PUT", "/api/v1/tags", e.open(e.setTags)),
		yes("PUT", "/api/v1/tags/{tag}", e.open(e.renameTag)),
		yes("DELETE", "/api/v1/tags/{tag}", e.open(e.deleteTag)),
		partly("GET", "/api/v1/info", "`LatestVersion` is the version that runs: no other server is asked",
			e.open(e.info)),
		yes("GET", "/api/v1/webui", e.open(e.webui)),
		partly("POST", one+"/release", "always 400, as without a relay: nothing leaves the machine", e.open(e.release)),
		partly("GET", one+"/part/{part}/thumb", "of PNG, JPEG and GIF; white for other pictures, too", e.open(e.thumb)),
		partly("GET", one+"/html-check", "by a coarse table of our own: 49 features, six mail programs",
			e.open(e.htmlCheck)),
		partly("GET", one+"/link-check", "lists the links; none is followed, and only what cannot be a URL is an error",
			e.open(e.linkCheck)),
		yes("GET", "/api/v1/chaos", e.open(e.chaos)),
		yes("PUT", "/api/v1/chaos", e.open(e.setChaos)),
		yes("GET", "/api/events", e.open(e.events)),
		no("GET", one+"/sa-check", "there is no SpamAssassin; 404, as there without it"),
		no("GET", "/api/v1/swagger.json", "the description of another program; ours is `/openapi.json`"),
		partly("GET", "/view/{id}.html", "without scripts and pictures from elsewhere", e.open(e.viewHTML)),
		yes("GET", "/view/{id}.txt", e.open(e.viewText)),
		partly("GET", "/view/{id}", "leads to the HTML or the text: the page for people is `/console`", e.open(e.view)),
		partly("GET", "/api/v2/messages", "MailHog's; the first megabyte of a message", e.open(e.hogMessages)),
		partly("GET", "/api/v2/search", "MailHog's; the first megabyte of a message", e.open(e.hogSearch)),
		partly("GET", "/api/v1/messages/{id}", "MailHog's; the first megabyte of a message", e.open(e.hogMessage)),
		partly("DELETE", "/api/v1/messages/{id}", "MailHog's; a message that is not there is 404", e.open(e.hogDelete)),
		yes("GET", "/api/v1/messages/{id}/download", e.open(e.hogDownload)),
		no("GET", "/api/v2/jim", "MailHog's; `/api/v1/chaos` does that"),
		no("GET", "/api/v2/outgoing-smtp", "MailHog's; nothing leaves the machine"),
		no("GET", "/api/v2/websocket", "MailHog's; `/api/events` does that"),
	}
}

func (e *edge) live(c *door.Call) error { return c.Bytes(http.StatusOK, "text/plain", nil) }

func (e *edge) ready(c *door.Call) error {
	if err := e.svc.Ready(c.Context()); err != nil {
		return err
	}
	return c.Bytes(http.StatusOK, "text/plain", nil)
}
