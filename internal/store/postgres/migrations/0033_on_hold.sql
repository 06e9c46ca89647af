-- What an operator keeps in the queue.
CREATE INDEX deliveries_on_hold ON deliveries (queued_at) WHERE status = 'on_hold';
