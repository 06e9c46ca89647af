-- A mailbox's number (num, box) is never used again. Every table of a mailbox's own things has a key that begins with it; what is found
-- by an id alone has an index for that which holds the mailbox as well. So each can be cut by mailbox: here, where "partitioned by box"
-- stands behind a table, or by a distributed PostgreSQL.
--
-- Text that comes from outside is bytea: it may hold zero bytes and what is no UTF-8. convert_from(subject, 'UTF8') shows it. Times are
-- milliseconds since 1970, and 0 for none.

CREATE TABLE mailboxes (
  num          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  created_at   bigint NOT NULL,
  expires_at   bigint NOT NULL,          -- 0: never
  paused_at    bigint NOT NULL,
  hook_tried   bigint NOT NULL,
  hook_fails   bigint NOT NULL,
  hook_failed  boolean NOT NULL,
  address      bytea NOT NULL,
  aliases      bytea NOT NULL,           -- space-separated
  scope        text NOT NULL,
  status       text NOT NULL,
  paused_by    text NOT NULL,
  pause_reason bytea NOT NULL,
  hook_url     bytea NOT NULL,
  hook_error   bytea NOT NULL
);

CREATE TABLE addresses (
  address bytea PRIMARY KEY,
  box     bigint NOT NULL
);
CREATE INDEX addresses_box ON addresses (box);

-- Narrow, and with room for the next versions of a row, which every mail changes. Who changes anything of a mailbox locks its row.
CREATE TABLE counters (
  box        bigint PRIMARY KEY,
  seq        bigint NOT NULL DEFAULT 0,  -- the last number of a message or event
  event_base bigint NOT NULL,
  inbound    bigint NOT NULL DEFAULT 0,
  outbound   bigint NOT NULL DEFAULT 0,
  unseen     bigint NOT NULL DEFAULT 0,
  bytes      bigint NOT NULL DEFAULT 0,
  month      bigint NOT NULL DEFAULT 0,
  this_month bigint NOT NULL DEFAULT 0,
  top        bigint NOT NULL DEFAULT 0,  -- the highest place that a message of it ever had
  hooks      bigint NOT NULL DEFAULT 0   -- the last number of a hook
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);

CREATE TABLE purges (box bigint PRIMARY KEY);

CREATE TABLE keys (
  digest     bytea PRIMARY KEY,
  id         uuid NOT NULL UNIQUE,
  box        bigint NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  used_at    bigint NOT NULL,
  scope      text NOT NULL,
  hint       bytea NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX keys_box ON keys (box);

CREATE TABLE messages (
  box         bigint NOT NULL,
  seq         bigint NOT NULL,
  id          uuid NOT NULL,
  thread      uuid,                      -- null: alone, its thread's id is its own
  place       bigint NOT NULL,           -- in the order of all messages, for the index of words
  top         bigint NOT NULL,           -- the highest place of this and all messages of the mailbox before it
  received_at bigint NOT NULL,
  size        bigint NOT NULL,
  attachments integer NOT NULL,
  older       boolean NOT NULL,          -- its thread has a newer message
  outbound    boolean NOT NULL,
  seen        boolean NOT NULL,
  taken       boolean NOT NULL,          -- its code was handed out
  digest      bytea NOT NULL,
  status      bytea NOT NULL,
  labels      bytea NOT NULL,            -- space-separated, sorted
  from_addr   bytea NOT NULL,
  from_name   bytea NOT NULL,
  from_lower  bytea,                     -- both in lower case, with a byte between them that no text has; null: they are
  to_addr     bytea NOT NULL,
  recipient   bytea NOT NULL,            -- empty: to_addr
  subject     bytea NOT NULL,
  snippet     bytea NOT NULL,
  code        bytea NOT NULL,
  message_id  bytea NOT NULL,
  verdict     bytea NOT NULL,            -- about the sender
  PRIMARY KEY (box, seq)
) WITH (fillfactor = 90); -- partitioned by box
CREATE UNIQUE INDEX messages_id ON messages (id, box);
CREATE INDEX messages_thread ON messages (thread, box, seq) WHERE thread IS NOT NULL;

-- Packed bytes are compressed already; up to half a page of them stays in the row.
CREATE TABLE docs (
  box    bigint NOT NULL,
  seq    bigint NOT NULL,
  blob   bytea,                          -- key in the blob store; null: the raw bytes are in packed
  packed bytea NOT NULL,
  PRIMARY KEY (box, seq)
) WITH (toast_tuple_target = 4080); -- partitioned by box
ALTER TABLE docs ALTER COLUMN packed SET STORAGE EXTERNAL;
CREATE INDEX docs_blob ON docs (blob) WHERE blob IS NOT NULL;

-- Message-IDs by the first 8 bytes of their SHA-256: a message's own and those that it answers.
CREATE TABLE refs (
  box  bigint NOT NULL,
  hash bigint NOT NULL,
  seq  bigint NOT NULL,
  own  boolean NOT NULL,
  PRIMARY KEY (box, hash, seq)
); -- partitioned by box

-- Threads that were merged into another.
CREATE TABLE merged (
  box     bigint NOT NULL,
  id      uuid NOT NULL,
  into_id uuid NOT NULL,
  PRIMARY KEY (box, id)
);
CREATE INDEX merged_id ON merged (id);
CREATE INDEX merged_into ON merged (into_id, box);

-- The agent's own labels that a mailbox knows.
CREATE TABLE labels (
  box   bigint NOT NULL,
  label bytea NOT NULL,
  PRIMARY KEY (box, label)
);

-- A message is its own event, received or sent. This is for the others, and for messages that were deleted.
CREATE TABLE events (
  box     bigint NOT NULL,
  seq     bigint NOT NULL,               -- number - event_base
  at      bigint NOT NULL,
  message uuid NOT NULL,
  kind    text NOT NULL,
  result  bytea NOT NULL,                -- what it says about one recipient
  PRIMARY KEY (box, seq)
); -- partitioned by box
CREATE INDEX events_at ON events (at);   -- old ones are found by it, of all mailboxes together

CREATE TABLE rejects (
  n         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at        bigint NOT NULL,
  stage     bytea NOT NULL,
  sender    bytea NOT NULL,
  recipient bytea NOT NULL,              -- as the sender wrote it
  address   bytea NOT NULL,              -- canonical
  remote    bytea NOT NULL,
  reply     bytea NOT NULL
);

CREATE TABLE audits (
  n      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at     bigint NOT NULL,
  action bytea NOT NULL,
  box    bytea NOT NULL,
  note   bytea NOT NULL
);

-- Written to see whether the store can be.
CREATE TABLE ping (n bigint NOT NULL) WITH (fillfactor = 10);
INSERT INTO ping VALUES (0);
