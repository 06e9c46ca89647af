-- The deployment's secrets: which one is in force, since when, and until when one that was replaced is still taken. Of
-- each there is a digest; while one takes the place of another also the secret itself, encrypted.
CREATE TABLE secrets (
  name    text   NOT NULL,
  digest  bytea  NOT NULL,
  made_at bigint NOT NULL,
  ends_at bigint NOT NULL,               -- 0: it is in force
  sealed  bytea  NOT NULL,
  PRIMARY KEY (name, digest)
);

-- When a domain's keys were made, the keys that are to follow them, and the selector that they followed, as JSON.
ALTER TABLE domains ADD COLUMN rotation bytea NOT NULL DEFAULT ''::bytea;
