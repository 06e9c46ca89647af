-- Addresses of deleted mailboxes, which nobody can claim for a while.
CREATE TABLE retired (
  address bytea PRIMARY KEY,
  at      bigint NOT NULL                -- when the mailbox was deleted
);
CREATE INDEX retired_at ON retired (at);
