package mailpit

import (
	"maps"
	"net/http"
	"slices"

	"github.com/mailkin/mailkin/internal/door"
	"github.com/mailkin/mailkin/internal/service"
)

func (e *edge) tags(c *door.Call, in service.Access) error {
	tags, err := e.svc.CapturedTags(c.Context(), in)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, orEmpty(slices.Sorted(maps.Keys(tags))))
}

// setTags replaces the tags of messages.
func (e *edge) setTags(c *door.Call, in service.Access) error {
	var body struct{ IDs, Tags []string }
	if err := readObject(c, &body); err != nil {
		return err
	}
	if err := e.svc.TagCaptured(c.Context(), in, ids(body.IDs), body.Tags); err != nil {
		return err
	}
	return ok(c)
}

func (e *edge) renameTag(c *door.Call, in service.Access) error {
	var body struct{ Name string }
	if err := readObject(c, &body); err != nil {
		return err
	}
	if err := e.svc.RenameTag(c.Context(), in, c.Value("tag"), body.Name); err != nil {
		return err
	}
	return ok(c)
}

func (e *edge) deleteTag(c *door.Call, in service.Access) error {
	if err := e.svc.DeleteTag(c.Context(), in, c.Value("tag")); err != nil {
		return err
	}
	return ok(c)
}
