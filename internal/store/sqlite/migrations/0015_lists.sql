-- Whom a mailbox may write to, and whom not; box 0 is the deployment.
CREATE TABLE lists (
  n          INTEGER PRIMARY KEY AUTOINCREMENT,
  box        INTEGER NOT NULL,
  list       TEXT NOT NULL,    -- "send/allow"
  pattern    TEXT NOT NULL,
  note       TEXT NOT NULL,
  expires_at INTEGER NOT NULL, -- 0: never
  created_at INTEGER NOT NULL
);
CREATE UNIQUE INDEX lists_pattern ON lists (box, pattern, list);
CREATE INDEX lists_list ON lists (box, list, n);
