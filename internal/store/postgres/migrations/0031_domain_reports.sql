-- What other mail systems reported about domains of ours, in sums.
CREATE TABLE domain_reports (
  n            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  domain       uuid NOT NULL,
  kind         bytea NOT NULL,
  reporter     bytea NOT NULL,
  authentic    boolean NOT NULL,
  organization bytea NOT NULL,
  report       bytea NOT NULL,
  about        bytea NOT NULL,
  begin_at     bigint NOT NULL,
  end_at       bigint NOT NULL,
  received_at  bigint NOT NULL,
  passed       bigint NOT NULL,
  failed       bigint NOT NULL,
  sums         bytea NOT NULL
);
CREATE UNIQUE INDEX domain_reports_once ON domain_reports (domain, authentic, kind, reporter, report, about);
CREATE INDEX domain_reports_age ON domain_reports (received_at);
