-- Drafts: messages that somebody writes, and their attachments. One that was sent stays for a while without its content, so that it
-- is not sent twice.

CREATE TABLE drafts (
  n          INTEGER PRIMARY KEY AUTOINCREMENT,
  box        INTEGER NOT NULL,
  id         BLOB NOT NULL,
  version    INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  size       INTEGER NOT NULL,
  sent_at    INTEGER NOT NULL,           -- 0: it was not
  message    BLOB NOT NULL,
  thread     BLOB NOT NULL,
  message_id TEXT NOT NULL,
  head       BLOB NOT NULL,
  body       BLOB NOT NULL
);
CREATE UNIQUE INDEX drafts_id ON drafts (id);
CREATE INDEX drafts_box ON drafts (box, n) WHERE sent_at = 0;
CREATE INDEX drafts_box_sent ON drafts (box, n) WHERE sent_at > 0;
CREATE INDEX drafts_sent ON drafts (sent_at) WHERE sent_at > 0;

CREATE TABLE draft_files (
  box    INTEGER NOT NULL,
  draft  BLOB NOT NULL,
  n      INTEGER NOT NULL,
  blob   TEXT,                           -- key in the blob store; null: the bytes are in packed
  packed BLOB NOT NULL,
  PRIMARY KEY (box, draft, n)
);
CREATE INDEX draft_files_blob ON draft_files (blob) WHERE blob IS NOT NULL;
