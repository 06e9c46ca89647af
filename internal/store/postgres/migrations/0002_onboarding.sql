-- Temporary mailboxes and how they become permanent; an end for what is kept too long.

-- Whom a mailbox has had mail from.
CREATE TABLE contacts (
  box     bigint NOT NULL,
  address bytea NOT NULL,
  PRIMARY KEY (box, address)
); -- partitioned by box

-- What has no end is 0, and in neither of these indexes: only temporary mailboxes and keys that end are.
CREATE INDEX mailboxes_end ON mailboxes (expires_at) WHERE expires_at > 0;
CREATE INDEX keys_end ON keys (expires_at) WHERE expires_at > 0;

-- The highest number of an event that a removed mailbox had: one that is made anew begins above it.
CREATE TABLE gone (number bigint NOT NULL);
INSERT INTO gone VALUES (0);

-- Requests for a permanent mailbox. Each has two secrets, of which the digests are kept: the agent has one, a person the other.
CREATE TABLE claims (
  session    bytea PRIMARY KEY,
  link       bytea NOT NULL UNIQUE,
  box        bigint NOT NULL,            -- 0: a new one
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  done_at    bigint NOT NULL,            -- 0: not confirmed
  salt       bytea NOT NULL,
  name       bytea NOT NULL,
  address    bytea NOT NULL,
  client     bytea NOT NULL
);
CREATE INDEX claims_box ON claims (box);
CREATE INDEX claims_made ON claims (created_at);

-- Temporary mailboxes by the Idempotency-Key that they were asked for with.
CREATE TABLE bootstraps (
  digest bytea PRIMARY KEY,
  box    bigint NOT NULL,
  salt   bytea NOT NULL
);
CREATE INDEX bootstraps_box ON bootstraps (box);

-- What was used of the daily quotas.
CREATE TABLE quotas (
  day    bigint NOT NULL,                -- since 1970, UTC
  client bytea NOT NULL,                 -- empty: the deployment
  used   bigint NOT NULL,
  PRIMARY KEY (day, client)
) WITH (fillfactor = 50);
