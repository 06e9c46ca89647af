-- Addresses of deleted mailboxes, which nobody can claim for a while.
CREATE TABLE retired (
  address TEXT PRIMARY KEY,
  at      INTEGER NOT NULL               -- when the mailbox was deleted
) WITHOUT ROWID;
CREATE INDEX retired_at ON retired (at);
