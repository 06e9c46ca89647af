-- What was seen of the mail of other domains in a day, for reports to their owners.
CREATE TABLE topics (
  day      INTEGER NOT NULL,
  kind     TEXT NOT NULL,
  domain   TEXT NOT NULL,
  reported INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (day, kind, domain)
) WITHOUT ROWID;
CREATE INDEX topics_open ON topics (day, kind, domain) WHERE NOT reported;
CREATE TABLE observations (
  day    INTEGER NOT NULL,
  kind   TEXT NOT NULL,
  domain TEXT NOT NULL,
  fact   TEXT NOT NULL,
  seen   INTEGER NOT NULL,
  PRIMARY KEY (day, kind, domain, fact)
) WITHOUT ROWID;
