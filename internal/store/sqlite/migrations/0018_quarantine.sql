-- Mail that the receiving lists do not let in, kept apart until a person releases it or its time is over. One that was released stays
-- for a while without its content, so that it is not released twice.
CREATE TABLE quarantine (
  n           INTEGER PRIMARY KEY AUTOINCREMENT,
  box         INTEGER NOT NULL,
  id          BLOB NOT NULL,
  received_at INTEGER NOT NULL,
  expires_at  INTEGER NOT NULL,
  released_at INTEGER NOT NULL,          -- 0: it was not
  message     BLOB NOT NULL,             -- what it was released as
  size        INTEGER NOT NULL,
  digest      BLOB NOT NULL,
  head        BLOB NOT NULL,
  blob        TEXT,                      -- key in the blob store; null: the raw bytes are in packed
  packed      BLOB NOT NULL
);
CREATE UNIQUE INDEX quarantine_id ON quarantine (id);
CREATE INDEX quarantine_held ON quarantine (box, n, size) WHERE released_at = 0;
CREATE INDEX quarantine_box ON quarantine (box);
CREATE INDEX quarantine_digest ON quarantine (box, digest) WHERE released_at = 0;
CREATE INDEX quarantine_end ON quarantine (expires_at);
CREATE INDEX quarantine_blob ON quarantine (blob) WHERE blob IS NOT NULL;
