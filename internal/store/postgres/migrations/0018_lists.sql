-- Whom a mailbox may write to, and whom not; box 0 is the deployment.
CREATE TABLE lists (
  box        bigint NOT NULL,
  n          bigint GENERATED ALWAYS AS IDENTITY,
  expires_at bigint NOT NULL,  -- 0: never
  created_at bigint NOT NULL,
  list       bytea NOT NULL,   -- "send/allow"
  pattern    bytea NOT NULL,
  note       bytea NOT NULL,
  PRIMARY KEY (box, list, n)
);
CREATE UNIQUE INDEX lists_pattern ON lists (box, pattern, list);
