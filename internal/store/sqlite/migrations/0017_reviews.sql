-- Messages that a person has to approve before they are sent, and what was decided.
CREATE TABLE reviews (
  n          INTEGER PRIMARY KEY AUTOINCREMENT,
  box        INTEGER NOT NULL,
  message    BLOB NOT NULL,
  version    INTEGER NOT NULL,       -- one more with every edit
  about      BLOB NOT NULL,          -- the message that it answers or sends on; empty: none
  status     TEXT NOT NULL,
  reasons    TEXT NOT NULL,          -- lines
  note       TEXT NOT NULL,
  decided_by TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  decided_at INTEGER NOT NULL
);
CREATE UNIQUE INDEX reviews_message ON reviews (box, message);
CREATE INDEX reviews_status ON reviews (box, status, n);
CREATE INDEX reviews_box ON reviews (box);
CREATE INDEX reviews_held ON reviews (n) WHERE status = 'held';
CREATE INDEX reviews_expiry ON reviews (expires_at) WHERE status = 'held';
-- The message was stored to be approved first: the event that it is tells that.
ALTER TABLE messages ADD COLUMN held INTEGER NOT NULL DEFAULT 0;
