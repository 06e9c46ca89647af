-- Messages that a person has to approve before they are sent, and what was decided.
CREATE TABLE reviews (
  box        bigint NOT NULL,
  n          bigint GENERATED ALWAYS AS IDENTITY,
  message    uuid NOT NULL,
  about      uuid NOT NULL,           -- the message that it answers or sends on; zero: none
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  decided_at bigint NOT NULL,
  version    bigint NOT NULL,         -- one more with every edit
  status     bytea NOT NULL,
  reasons    bytea NOT NULL,          -- lines
  note       bytea NOT NULL,
  decided_by bytea NOT NULL,
  PRIMARY KEY (box, n)
);
CREATE UNIQUE INDEX reviews_message ON reviews (box, message);
CREATE INDEX reviews_n ON reviews (n);
CREATE INDEX reviews_status ON reviews (box, status, n);
CREATE INDEX reviews_held ON reviews (n) WHERE status = 'held';
CREATE INDEX reviews_expiry ON reviews (expires_at) WHERE status = 'held';
-- The message was stored to be approved first: the event that it is tells that.
ALTER TABLE messages ADD COLUMN held boolean NOT NULL DEFAULT false;
