-- MTA-STS policies of domains that mail is sent to.
CREATE TABLE policies (
  domain     bytea PRIMARY KEY,
  id         bytea NOT NULL,
  text       bytea NOT NULL,
  expires_at bigint NOT NULL,
  refresh_at bigint NOT NULL
);
CREATE INDEX policies_refresh ON policies (refresh_at);
CREATE INDEX policies_end ON policies (expires_at);
