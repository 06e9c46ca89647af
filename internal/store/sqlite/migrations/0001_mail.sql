-- A mailbox's number (num, box) is never used again. List rows and events have one 64-bit key: box << 32 | number, so a
-- mailbox's newest rows lie together however large the store is. What is read one at a time (docs) is appended.

CREATE TABLE mailboxes (
  num          INTEGER PRIMARY KEY AUTOINCREMENT,
  address      TEXT NOT NULL,
  aliases      TEXT NOT NULL,            -- space-separated
  scope        TEXT NOT NULL,
  created_at   INTEGER NOT NULL,
  expires_at   INTEGER NOT NULL,         -- 0: never
  status       TEXT NOT NULL,
  paused_by    TEXT NOT NULL,
  pause_reason TEXT NOT NULL,
  paused_at    INTEGER NOT NULL,
  hook_url     TEXT NOT NULL,
  hook_failed  INTEGER NOT NULL,
  hook_fails   INTEGER NOT NULL,
  hook_tried   INTEGER NOT NULL,
  hook_error   TEXT NOT NULL
);

CREATE TABLE addresses (
  address TEXT PRIMARY KEY,
  box     INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX addresses_box ON addresses (box);

-- Narrow, so that the row every mail changes shares its page with many others.
CREATE TABLE counters (
  box        INTEGER PRIMARY KEY,
  seq        INTEGER NOT NULL,           -- the last number of a message or event
  event_base INTEGER NOT NULL,
  inbound    INTEGER NOT NULL,
  outbound   INTEGER NOT NULL,
  unseen     INTEGER NOT NULL,
  bytes      INTEGER NOT NULL,
  month      INTEGER NOT NULL,
  this_month INTEGER NOT NULL
);

CREATE TABLE purges (box INTEGER PRIMARY KEY);

CREATE TABLE keys (
  digest     BLOB PRIMARY KEY,
  id         BLOB NOT NULL UNIQUE,
  box        INTEGER NOT NULL,
  scope      TEXT NOT NULL,
  hint       TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  used_at    INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX keys_box ON keys (box);

CREATE TABLE messages (
  pk          INTEGER PRIMARY KEY,       -- box << 32 | seq
  id          BLOB NOT NULL,
  doc         INTEGER NOT NULL,
  thread      BLOB,                      -- null: alone, its thread's id is its own
  older       INTEGER NOT NULL,          -- 1: its thread has a newer message
  outbound    INTEGER NOT NULL,
  seen        INTEGER NOT NULL,
  received_at INTEGER NOT NULL,
  size        INTEGER NOT NULL,
  attachments INTEGER NOT NULL,
  status      TEXT NOT NULL,
  labels      TEXT NOT NULL,             -- space-separated, sorted
  from_addr   TEXT NOT NULL,
  from_name   TEXT NOT NULL,
  to_addr     TEXT NOT NULL,
  subject     TEXT NOT NULL,
  snippet     TEXT NOT NULL,
  code        TEXT NOT NULL,
  message_id  TEXT NOT NULL,
  recipient   TEXT NOT NULL,             -- empty: to_addr
  digest      BLOB NOT NULL
);
CREATE UNIQUE INDEX messages_id ON messages (id);
CREATE INDEX messages_thread ON messages (thread, pk) WHERE thread IS NOT NULL;

CREATE TABLE docs (
  doc    INTEGER PRIMARY KEY,            -- grows, and is never used again
  blob   TEXT,                           -- key in the blob store; null: the raw bytes are in packed
  packed BLOB NOT NULL
);
CREATE INDEX docs_blob ON docs (blob) WHERE blob IS NOT NULL;

-- Message-IDs by the first 8 bytes of their SHA-256: a message's own (own = 1) and those that it answers.
CREATE TABLE refs (
  box  INTEGER NOT NULL,
  hash INTEGER NOT NULL,
  seq  INTEGER NOT NULL,
  own  INTEGER NOT NULL,
  PRIMARY KEY (box, hash, seq)
) WITHOUT ROWID;

-- Threads that were merged into another.
CREATE TABLE merged (
  id   BLOB PRIMARY KEY,
  box  INTEGER NOT NULL,
  into_id BLOB NOT NULL
) WITHOUT ROWID;
CREATE INDEX merged_box ON merged (box);
CREATE INDEX merged_into ON merged (into_id);

-- The agent's own labels that a mailbox knows.
CREATE TABLE labels (
  box   INTEGER NOT NULL,
  label TEXT NOT NULL,
  PRIMARY KEY (box, label)
) WITHOUT ROWID;

-- A message is its own event, received or sent. This is for the others, and for messages that were deleted.
CREATE TABLE events (
  pk      INTEGER PRIMARY KEY,           -- box << 32 | number - event_base
  at      INTEGER NOT NULL,
  kind    TEXT NOT NULL,
  message BLOB NOT NULL
);

CREATE TABLE rejects (
  n         INTEGER PRIMARY KEY AUTOINCREMENT,
  at        INTEGER NOT NULL,
  stage     TEXT NOT NULL,
  sender    TEXT NOT NULL,
  recipient TEXT NOT NULL,               -- as the sender wrote it
  address   TEXT NOT NULL,               -- canonical
  remote    TEXT NOT NULL,
  reply     TEXT NOT NULL
);

CREATE TABLE audits (
  n      INTEGER PRIMARY KEY AUTOINCREMENT,
  at     INTEGER NOT NULL,
  action TEXT NOT NULL,
  box    TEXT NOT NULL,
  note   TEXT NOT NULL
);

-- Written to see whether the store can be.
CREATE TABLE ping (n INTEGER NOT NULL);
INSERT INTO ping VALUES (0);
