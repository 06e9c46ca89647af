-- MTA-STS policies of domains that mail is sent to.
CREATE TABLE policies (
  domain     TEXT PRIMARY KEY,
  id         TEXT NOT NULL,
  text       TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  refresh_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX policies_refresh ON policies (refresh_at);
CREATE INDEX policies_end ON policies (expires_at);
