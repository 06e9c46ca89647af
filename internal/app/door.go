package app

import (
	"slices"

	"github.com/mailkin/mailkin/internal/door"
	"github.com/mailkin/mailkin/internal/door/agentmail"
	"github.com/mailkin/mailkin/internal/door/resend"
)

// doors are the interfaces of other services that the settings ask for.
func (a *App) doors() (list []*door.Door) {
	for _, d := range []*door.Door{agentmail.New(a.svc), resend.New(a.svc)} {
		if slices.Contains(a.cfg.Doors, d.Name) {
			list = append(list, d)
		}
	}
	return list
}
