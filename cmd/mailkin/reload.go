package main

import (
	"log/slog"

	"github.com/mailkin/mailkin/internal/app"
	"github.com/mailkin/mailkin/internal/config"
)

// reloading is what a server needs to read its settings again.
type reloading struct {
	again  func() (config.Config, []config.Value, error)
	values []config.Value // in force
	level  *slog.LevelVar
	log    *slog.Logger
}

// reload takes up what can be changed without a restart, and says in the log what has changed. Where something is wrong
// with the settings, those of before stay, all of them.
func (r *reloading) reload(a *app.App) {
	cfg, values, err := r.again()
	if err != nil {
		r.log.Error("reload: the settings of before stay", "error", err)
		return
	}
	if err := a.Reload(cfg); err != nil {
		r.log.Error("reload", "error", err)
	}
	r.level.Set(cfg.LogLevel)
	changed := config.Changed(r.values, values)
	for _, v := range changed {
		if v.Live {
			r.log.Info("a setting has changed", "setting", v.Key, "value", v.Text)
		} else {
			r.log.Warn("a setting has changed that needs a restart", "setting", v.Key, "from", v.From)
		}
	}
	for i, v := range values {
		if v.Live { // the others are named again until there is a restart
			r.values[i] = v
		}
	}
	r.log.Info("reloaded", "changed", len(changed))
}
