-- What other mail systems reported about domains of ours, in sums.
CREATE TABLE domain_reports (
  n            INTEGER PRIMARY KEY AUTOINCREMENT,
  domain       BLOB NOT NULL,
  kind         TEXT NOT NULL,
  reporter     TEXT NOT NULL,
  authentic    INTEGER NOT NULL,
  organization TEXT NOT NULL,
  report       TEXT NOT NULL,
  about        TEXT NOT NULL,
  begin_at     INTEGER NOT NULL,
  end_at       INTEGER NOT NULL,
  received_at  INTEGER NOT NULL,
  passed       INTEGER NOT NULL,
  failed       INTEGER NOT NULL,
  sums         TEXT NOT NULL
);
CREATE UNIQUE INDEX domain_reports_once ON domain_reports (domain, authentic, kind, reporter, report, about);
CREATE INDEX domain_reports_age ON domain_reports (received_at);
