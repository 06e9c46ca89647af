-- What was seen of the mail of other domains in a day, for reports to their owners.
CREATE TABLE topics (
  day      bigint NOT NULL,
  kind     bytea NOT NULL,
  domain   bytea NOT NULL,
  reported boolean NOT NULL DEFAULT false,
  PRIMARY KEY (day, kind, domain)
);
CREATE INDEX topics_open ON topics (day, kind, domain) WHERE NOT reported;
CREATE TABLE observations (
  day    bigint NOT NULL,
  kind   bytea NOT NULL,
  domain bytea NOT NULL,
  fact   bytea NOT NULL,
  seen   bigint NOT NULL,
  PRIMARY KEY (day, kind, domain, fact)
);
