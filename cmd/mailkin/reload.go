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
// with the settings, the earlier ones all stay in force.
func (r *reloading) reload(a *app.App) {
	cfg, values, err := r.again()
	if err != nil {
		r.log.Error("reload: nothing was changed", "error", err)
		return
	}
	if err := a.Reload(cfg); err != nil {
		r.log.Error("reload", "error", err)
	}
	r.level.Set(cfg.LogLevel)
	changed, restart := 0, 0
	for _, v := range config.Changed(r.values, values) {
		if v.Live {
			changed++
			r.log.Info("a setting has changed", "setting", v.Key, "value", v.Text)
		} else {
			restart++
			r.log.Warn("a setting has changed that needs a restart", "setting", v.Key, "from", v.From)
		}
	}
	for i, v := range values {
		if v.Live { // the others are named again until there is a restart
			r.values[i] = v
		}
	}
	r.log.Info("reloaded", "changed", changed, "restart", restart)
}
