-- The message was held only when it was due: it was told as sent before, and has counted.
ALTER TABLE reviews ADD COLUMN due boolean NOT NULL DEFAULT false;
UPDATE reviews r SET due = true FROM messages m WHERE m.box = r.box AND m.id = r.message AND NOT m.held;
