-- What the people behind an agent have decided about its mailbox (JSON of mailbox.Control).
ALTER TABLE mailboxes ADD COLUMN control TEXT NOT NULL DEFAULT '';
-- What a key was bound to when it was made (JSON of mailbox.Restriction), and the mailboxes that it opens beside its own.
ALTER TABLE keys ADD COLUMN restriction TEXT NOT NULL DEFAULT '';
CREATE TABLE key_boxes (
  key BLOB NOT NULL,
  box INTEGER NOT NULL,
  PRIMARY KEY (key, box)
) WITHOUT ROWID;
CREATE INDEX key_boxes_box ON key_boxes (box);
-- Who did it.
ALTER TABLE audits ADD COLUMN actor TEXT NOT NULL DEFAULT '';
