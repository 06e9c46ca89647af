-- Mail on its way out, what binds it, and the domains it may come from.

CREATE TABLE deliveries (
  box         bigint NOT NULL,
  seq         bigint NOT NULL,           -- of the message
  n           bigint NOT NULL,           -- of the recipient
  message     uuid NOT NULL,
  queued_at   bigint NOT NULL,
  next_at     bigint NOT NULL,           -- 0: never
  lease       bigint NOT NULL,
  attempts    bigint NOT NULL,
  code        bigint NOT NULL,
  told        bigint NOT NULL,
  leased      boolean NOT NULL,
  begun       boolean NOT NULL,
  unknown     boolean NOT NULL,
  status      text NOT NULL,
  recipient   bytea NOT NULL,
  destination bytea NOT NULL,
  text        bytea NOT NULL,
  host        bytea NOT NULL,
  tls         bytea NOT NULL,
  provider    bytea NOT NULL,
  PRIMARY KEY (box, seq, n)
) WITH (fillfactor = 80); -- partitioned by box
CREATE INDEX deliveries_due ON deliveries (destination, next_at) WHERE next_at > 0;
CREATE INDEX deliveries_old ON deliveries (queued_at) WHERE next_at > 0;
CREATE INDEX deliveries_leased ON deliveries (leased) WHERE leased;
CREATE INDEX deliveries_provider ON deliveries (provider) WHERE provider <> '';

-- How often something was done in a slot of time: sends in a day, mails to one peer in an hour. Box 0 is the deployment.
CREATE TABLE tallies (
  box   bigint NOT NULL,
  what  bytea NOT NULL,
  slot  bigint NOT NULL,
  used  bigint NOT NULL,
  until bigint NOT NULL,
  PRIMARY KEY (box, what, slot)
) WITH (fillfactor = 70);
CREATE INDEX tallies_until ON tallies (until);

-- Sends by the Idempotency-Key that they were made with.
CREATE TABLE idempotents (
  box        bigint NOT NULL,
  key        bytea NOT NULL,
  message    uuid NOT NULL,
  thread     uuid NOT NULL,
  at         bigint NOT NULL,
  body       bytea NOT NULL,
  message_id bytea NOT NULL,
  PRIMARY KEY (box, key)
);
CREATE INDEX idempotents_at ON idempotents (at);

CREATE TABLE suppressions (
  box     bigint NOT NULL,
  n       bigint GENERATED ALWAYS AS IDENTITY,
  message uuid NOT NULL,
  at      bigint NOT NULL,
  address bytea NOT NULL,
  reason  bytea NOT NULL,
  detail  bytea NOT NULL,
  PRIMARY KEY (box, n)
);
CREATE UNIQUE INDEX suppressions_address ON suppressions (box, address);

CREATE TABLE domains (
  id          uuid PRIMARY KEY,
  box         bigint NOT NULL,           -- 0: the deployment's own
  created_at  bigint NOT NULL,
  verified_at bigint NOT NULL,           -- 0: never
  mx          boolean NOT NULL,
  spf         boolean NOT NULL,
  dkim        boolean NOT NULL,
  dmarc       boolean NOT NULL,
  owned       boolean NOT NULL,
  name        bytea NOT NULL,
  token       bytea NOT NULL,
  selector    bytea NOT NULL,
  keys        bytea NOT NULL             -- encrypted
);
CREATE INDEX domains_box ON domains (box);
CREATE UNIQUE INDEX domains_name ON domains (name, box);
