-- Routes that are named by an id: what they have besides a URL, as JSON. Their key stands in the place of the label.
ALTER TABLE hook_routes ADD COLUMN settings bytea NOT NULL DEFAULT ''::bytea;
