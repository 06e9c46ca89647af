package app

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/mailkin/mailkin/internal/datadir"
	"github.com/mailkin/mailkin/internal/door"
	"github.com/mailkin/mailkin/internal/door/agentmail"
	"github.com/mailkin/mailkin/internal/door/mailpit"
	"github.com/mailkin/mailkin/internal/door/resend"
)

// doors are the interfaces of other services that the settings ask for.
func (a *App) doors() (list []*door.Door) {
	for _, d := range []*door.Door{agentmail.New(a.svc), resend.New(a.svc)} {
		if slices.Contains(a.cfg.Doors, d.Name) {
			list = append(list, d)
		}
	}
	if a.cfg.CatchAll.On {
		list = append(list, mailpit.New(a.svc, mailpit.Options{Version: Version(), Usage: a.usage,
			Local: &door.Local{Hosts: a.cfg.CatchAll.Hosts}}))
	}
	return list
}

// usage is what a test server tells about itself.
func (a *App) usage() mailpit.Usage {
	u := mailpit.Usage{Database: filepath.Join(a.cfg.DataDir, datadir.Database), Started: a.began}
	if file, err := os.Stat(u.Database); err == nil {
		u.DatabaseSize = file.Size()
	}
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	u.Memory = memory.Sys - memory.HeapReleased
	if a.mail != nil {
		stats := a.mail.Stats()
		u.Accepted, u.AcceptedBytes, u.Rejected = stats.Accepted, stats.Bytes, stats.Rejected4+stats.Rejected5
	}
	return u
}
