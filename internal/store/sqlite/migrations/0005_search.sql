-- The index of words is in a file of its own. It works through the docs in their order; from each it must find its message.

ALTER TABLE docs ADD COLUMN message INTEGER NOT NULL DEFAULT 0; -- key in messages
UPDATE docs SET message = m.pk FROM messages m WHERE m.doc = docs.doc;

-- What the index is to forget.
CREATE TABLE forgotten (
  n   INTEGER PRIMARY KEY,
  box INTEGER NOT NULL,
  seq INTEGER NOT NULL                   -- 0: the whole mailbox
);
