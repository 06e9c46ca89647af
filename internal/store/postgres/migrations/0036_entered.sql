-- When a delivery came into the queue, whatever became of the time at which it is due. Nodes that do not know the column
-- get the time of the moment.
ALTER TABLE deliveries ADD COLUMN entered_at bigint NOT NULL DEFAULT 0;
UPDATE deliveries SET entered_at = least(queued_at, (extract(epoch FROM now()) * 1000)::bigint)
  WHERE next_at > 0 OR status IN ('held', 'on_hold');
ALTER TABLE deliveries ALTER COLUMN entered_at SET DEFAULT (extract(epoch FROM clock_timestamp()) * 1000)::bigint;
CREATE INDEX deliveries_entered ON deliveries (entered_at) WHERE next_at > 0;
CREATE INDEX deliveries_held_back ON deliveries (entered_at) WHERE status = 'on_hold';
