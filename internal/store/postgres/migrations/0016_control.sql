-- What the people behind an agent have decided about its mailbox (JSON of mailbox.Control).
ALTER TABLE mailboxes ADD COLUMN control bytea NOT NULL DEFAULT '';
-- What a key was bound to when it was made (JSON of mailbox.Restriction), and the mailboxes that it opens beside its own.
ALTER TABLE keys ADD COLUMN restriction bytea NOT NULL DEFAULT '';
CREATE TABLE key_boxes (
  key uuid NOT NULL,
  box bigint NOT NULL,
  PRIMARY KEY (key, box)
);
CREATE INDEX key_boxes_box ON key_boxes (box);
-- Who did it.
ALTER TABLE audits ADD COLUMN actor bytea NOT NULL DEFAULT '';
