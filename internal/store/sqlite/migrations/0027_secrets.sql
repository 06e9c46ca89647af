-- The deployment's secrets: which one is in force, since when, and until when one that was replaced is still taken. Of
-- each there is a digest; while one takes the place of another also the secret itself, encrypted.
CREATE TABLE secrets (
  name    TEXT NOT NULL,
  digest  BLOB NOT NULL,
  made_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,              -- 0: it is in force
  sealed  BLOB NOT NULL,
  PRIMARY KEY (name, digest)
) WITHOUT ROWID;

-- When a domain's keys were made, the keys that are to follow them, and the selector that they followed, as JSON.
ALTER TABLE domains ADD COLUMN rotation TEXT NOT NULL DEFAULT '';
