-- The message was held only when it was due: it was told as sent before, and has counted.
ALTER TABLE reviews ADD COLUMN due INTEGER NOT NULL DEFAULT 0;
UPDATE reviews SET due = 1 WHERE EXISTS (SELECT 1 FROM messages m WHERE m.id = reviews.message AND NOT m.held);
