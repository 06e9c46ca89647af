package acme

import (
	"context"
	"log/slog"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

// shown are the fields of certmagic's log that go into ours. The others are noise, or keys and tokens of challenges.
var shown = map[string]bool{
	"identifier": true, "identifiers": true, "subject": true, "subjects": true, "error": true, "attempt": true,
	"retrying_in": true, "ca": true, "challenge_type": true, "issuer": true, "lock_key": true,
}

// bridge lets certmagic log to a logger of ours. What it takes for news is for debugging; that an authority is
// out of reach or refuses is a warning, because it is tried again.
func bridge(log *slog.Logger) *zap.Logger { return zap.New(core{log: log}) }

type core struct {
	log    *slog.Logger
	fields []zapcore.Field
}

func level(l zapcore.Level) slog.Level {
	if l >= zapcore.WarnLevel {
		return slog.LevelWarn
	}
	return slog.LevelDebug
}

func (c core) Enabled(l zapcore.Level) bool { return c.log.Enabled(context.Background(), level(l)) }

func (c core) With(fields []zapcore.Field) zapcore.Core {
	return core{log: c.log, fields: append(c.fields[:len(c.fields):len(c.fields)], fields...)}
}

func (c core) Check(e zapcore.Entry, to *zapcore.CheckedEntry) *zapcore.CheckedEntry {
	if c.Enabled(e.Level) {
		return to.AddCore(e, c)
	}
	return to
}

func (c core) Write(e zapcore.Entry, fields []zapcore.Field) error {
	values := zapcore.NewMapObjectEncoder()
	for _, f := range append(c.fields[:len(c.fields):len(c.fields)], fields...) {
		if shown[f.Key] {
			f.AddTo(values)
		}
	}
	var args []any
	for key, value := range values.Fields {
		if shown[key] {
			args = append(args, slog.Any(key, value))
		}
	}
	c.log.Log(context.Background(), level(e.Level), "acme: "+e.Message, args...)
	return nil
}

func (core) Sync() error { return nil }
