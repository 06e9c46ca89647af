-- Mail that the receiving lists do not let in, kept apart until a person releases it or its time is over. One that was released stays
-- for a while without its content, so that it is not released twice.
CREATE TABLE quarantine (
  n           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  box         bigint NOT NULL,
  id          uuid NOT NULL,
  received_at bigint NOT NULL,
  expires_at  bigint NOT NULL,
  released_at bigint NOT NULL,           -- 0: it was not
  message     uuid NOT NULL,             -- what it was released as
  size        bigint NOT NULL,
  digest      bytea NOT NULL,
  head        bytea NOT NULL,
  blob        bytea,                     -- key in the blob store; null: the raw bytes are in packed
  packed      bytea NOT NULL
);
ALTER TABLE quarantine ALTER COLUMN packed SET STORAGE EXTERNAL; -- it is compressed already
CREATE UNIQUE INDEX quarantine_id ON quarantine (id);
CREATE INDEX quarantine_held ON quarantine (box, n) INCLUDE (size) WHERE released_at = 0;
CREATE INDEX quarantine_box ON quarantine (box);
CREATE INDEX quarantine_digest ON quarantine (box, digest) WHERE released_at = 0;
CREATE INDEX quarantine_end ON quarantine (expires_at);
CREATE INDEX quarantine_blob ON quarantine (blob) WHERE blob IS NOT NULL;
