-- Temporary mailboxes and how they become permanent; codes that are handed out once; an end for what is kept too long.

ALTER TABLE messages ADD COLUMN taken INTEGER NOT NULL DEFAULT 0; -- 1: its code was handed out

ALTER TABLE messages ADD COLUMN verdict TEXT NOT NULL DEFAULT ''; -- about the sender

-- Whom a mailbox has had mail from.
CREATE TABLE contacts (
  box     INTEGER NOT NULL,
  address TEXT NOT NULL,
  PRIMARY KEY (box, address)
) WITHOUT ROWID;

-- What has no end is 0, and in neither of these indexes: only temporary mailboxes and keys that end are.
CREATE INDEX mailboxes_end ON mailboxes (expires_at) WHERE expires_at > 0;
CREATE INDEX keys_end ON keys (expires_at) WHERE expires_at > 0;

-- Old events are found by it, of all mailboxes together.
CREATE INDEX events_at ON events (at);

-- The highest number of an event that a removed mailbox had: one that is made anew begins above it.
CREATE TABLE gone (number INTEGER NOT NULL);
INSERT INTO gone VALUES (0);

-- Requests for a permanent mailbox. Each has two secrets, of which the digests are kept: the agent has one, a person the other.
CREATE TABLE claims (
  session    BLOB PRIMARY KEY,
  link       BLOB NOT NULL UNIQUE,
  salt       BLOB NOT NULL,
  name       TEXT NOT NULL,
  address    TEXT NOT NULL,
  box        INTEGER NOT NULL,           -- 0: a new one
  client     TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  done_at    INTEGER NOT NULL            -- 0: not confirmed
) WITHOUT ROWID;
CREATE INDEX claims_box ON claims (box);
CREATE INDEX claims_made ON claims (created_at);

-- Temporary mailboxes by the Idempotency-Key that they were asked for with.
CREATE TABLE bootstraps (
  digest BLOB PRIMARY KEY,
  box    INTEGER NOT NULL,
  salt   BLOB NOT NULL
) WITHOUT ROWID;
CREATE INDEX bootstraps_box ON bootstraps (box);

-- What was used of the daily quotas.
CREATE TABLE quotas (
  day    INTEGER NOT NULL,               -- since 1970, UTC
  client TEXT NOT NULL,                  -- empty: the deployment
  used   INTEGER NOT NULL,
  PRIMARY KEY (day, client)
) WITHOUT ROWID;
