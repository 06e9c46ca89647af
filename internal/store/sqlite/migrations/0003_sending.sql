-- Mail on its way out, what binds it, and the domains it may come from.

ALTER TABLE events ADD COLUMN result TEXT NOT NULL DEFAULT ''; -- what it says about one recipient

CREATE TABLE deliveries (
  box         INTEGER NOT NULL,
  seq         INTEGER NOT NULL,          -- of the message
  n           INTEGER NOT NULL,          -- of the recipient
  message     BLOB NOT NULL,
  recipient   TEXT NOT NULL,
  destination TEXT NOT NULL,
  status      TEXT NOT NULL,
  attempts    INTEGER NOT NULL,
  code        INTEGER NOT NULL,
  text        TEXT NOT NULL,
  host        TEXT NOT NULL,
  tls         TEXT NOT NULL,
  provider    TEXT NOT NULL,
  queued_at   INTEGER NOT NULL,
  next_at     INTEGER NOT NULL,          -- 0: never
  lease       INTEGER NOT NULL,
  leased      INTEGER NOT NULL,
  begun       INTEGER NOT NULL,
  unknown     INTEGER NOT NULL,
  told        INTEGER NOT NULL,
  PRIMARY KEY (box, seq, n)
) WITHOUT ROWID;
CREATE INDEX deliveries_due ON deliveries (destination, next_at) WHERE next_at > 0;
CREATE INDEX deliveries_old ON deliveries (queued_at) WHERE next_at > 0;
CREATE INDEX deliveries_leased ON deliveries (leased) WHERE leased = 1;
CREATE INDEX deliveries_provider ON deliveries (provider) WHERE provider <> '';

-- How often something was done in a slot of time: sends in a day, mails to one peer in an hour. Box 0 is the deployment.
CREATE TABLE tallies (
  box   INTEGER NOT NULL,
  what  TEXT NOT NULL,
  slot  INTEGER NOT NULL,
  used  INTEGER NOT NULL,
  until INTEGER NOT NULL,
  PRIMARY KEY (box, what, slot)
) WITHOUT ROWID;
CREATE INDEX tallies_until ON tallies (until);

-- Sends by the Idempotency-Key that they were made with.
CREATE TABLE idempotents (
  box        INTEGER NOT NULL,
  key        BLOB NOT NULL,
  body       BLOB NOT NULL,
  message    BLOB NOT NULL,
  thread     BLOB NOT NULL,
  message_id TEXT NOT NULL,
  at         INTEGER NOT NULL,
  PRIMARY KEY (box, key)
) WITHOUT ROWID;
CREATE INDEX idempotents_at ON idempotents (at);

CREATE TABLE suppressions (
  n       INTEGER PRIMARY KEY AUTOINCREMENT,
  box     INTEGER NOT NULL,
  address TEXT NOT NULL,
  reason  TEXT NOT NULL,
  detail  TEXT NOT NULL,
  message BLOB NOT NULL,
  at      INTEGER NOT NULL
);
CREATE UNIQUE INDEX suppressions_address ON suppressions (box, address);
CREATE INDEX suppressions_box ON suppressions (box, n);

CREATE TABLE domains (
  id          BLOB PRIMARY KEY,
  box         INTEGER NOT NULL,          -- 0: the deployment's own
  name        TEXT NOT NULL,
  token       TEXT NOT NULL,
  selector    TEXT NOT NULL,
  keys        BLOB NOT NULL,             -- encrypted
  mx          INTEGER NOT NULL,
  spf         INTEGER NOT NULL,
  dkim        INTEGER NOT NULL,
  dmarc       INTEGER NOT NULL,
  owned       INTEGER NOT NULL,
  created_at  INTEGER NOT NULL,
  verified_at INTEGER NOT NULL           -- 0: never
);
CREATE INDEX domains_box ON domains (box);
CREATE UNIQUE INDEX domains_name ON domains (name, box);
