-- When a delivery came into the queue, whatever became of the time at which it is due.
ALTER TABLE deliveries ADD COLUMN entered_at INTEGER NOT NULL DEFAULT 0;
UPDATE deliveries SET entered_at = min(queued_at, CAST(unixepoch('subsec') * 1000 AS INTEGER))
  WHERE next_at > 0 OR status IN ('held', 'on_hold');
CREATE INDEX deliveries_entered ON deliveries (entered_at) WHERE next_at > 0;
DROP INDEX deliveries_on_hold;
CREATE INDEX deliveries_on_hold ON deliveries (entered_at) WHERE status = 'on_hold';
