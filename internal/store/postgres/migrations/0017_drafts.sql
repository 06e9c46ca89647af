-- Drafts: messages that somebody writes, and their attachments. One that was sent stays for a while without its content, so that it
-- is not sent twice.

CREATE TABLE drafts (
  box        bigint NOT NULL,
  n          bigint GENERATED ALWAYS AS IDENTITY,
  id         uuid NOT NULL,
  version    bigint NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  size       bigint NOT NULL,
  sent_at    bigint NOT NULL,            -- 0: it was not
  message    uuid NOT NULL,
  thread     uuid NOT NULL,
  message_id bytea NOT NULL,
  head       bytea NOT NULL,
  body       bytea NOT NULL,
  PRIMARY KEY (box, n)
);
ALTER TABLE drafts ALTER COLUMN body SET STORAGE EXTERNAL; -- it is compressed already
CREATE UNIQUE INDEX drafts_id ON drafts (id);
CREATE INDEX drafts_box ON drafts (box, n) WHERE sent_at = 0;
CREATE INDEX drafts_box_sent ON drafts (box, n) WHERE sent_at > 0;
CREATE INDEX drafts_sent ON drafts (sent_at) WHERE sent_at > 0;

CREATE TABLE draft_files (
  box    bigint NOT NULL,
  draft  uuid NOT NULL,
  n      bigint NOT NULL,
  blob   bytea,                          -- key in the blob store; null: the bytes are in packed
  packed bytea NOT NULL,
  PRIMARY KEY (box, draft, n)
);
ALTER TABLE draft_files ALTER COLUMN packed SET STORAGE EXTERNAL; -- the same
CREATE INDEX draft_files_blob ON draft_files (blob) WHERE blob IS NOT NULL;
