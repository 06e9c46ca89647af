package postgres

import (
	"context"
	"time"
)

// Clock is the time of the server, which all nodes share.
func (db *DB) Clock(ctx context.Context) (time.Time, error) {
	ctx, cancel := context.WithTimeout(ctx, max(acquireTime, db.hostsTime))
	defer cancel()
	var micros int64
	err := db.pool.QueryRow(ctx, `SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint`).Scan(&micros)
	if err != nil {
		return time.Time{}, explain(err)
	}
	return time.UnixMicro(micros), nil
}
