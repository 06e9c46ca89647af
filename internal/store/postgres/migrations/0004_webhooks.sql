-- Events on their way to webhooks, and where they go.

ALTER TABLE mailboxes ADD COLUMN routed boolean NOT NULL DEFAULT false; -- it has rows in hook_routes

CREATE TABLE hook_routes (
  box        bigint NOT NULL,
  label      bytea NOT NULL,
  created_at bigint NOT NULL,
  fails      bigint NOT NULL,
  tried      bigint NOT NULL,
  failed     boolean NOT NULL,
  url        bytea NOT NULL,
  error      bytea NOT NULL,
  PRIMARY KEY (box, label)
);

-- What is due is looked for here: one row however much a target has waiting.
CREATE TABLE hook_targets (
  id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  box     bigint NOT NULL,
  next_at bigint NOT NULL,               -- of its next hook; 0: it has none
  url     bytea NOT NULL
) WITH (fillfactor = 70);
CREATE UNIQUE INDEX hook_targets_url ON hook_targets (box, url);
CREATE INDEX hook_targets_due ON hook_targets (next_at) WHERE next_at > 0;

CREATE TABLE hooks (
  box      bigint NOT NULL,
  n        bigint NOT NULL,              -- counted by mailbox
  id       uuid NOT NULL,
  message  uuid NOT NULL,
  target   bigint NOT NULL,
  event    bigint NOT NULL,
  at       bigint NOT NULL,
  attempts bigint NOT NULL,
  next_at  bigint NOT NULL,              -- 0: never
  lease    bigint NOT NULL,
  leased   boolean NOT NULL,
  kind     text NOT NULL,
  state    text NOT NULL,
  log      bytea NOT NULL,
  body     bytea NOT NULL,
  PRIMARY KEY (box, n)
) WITH (fillfactor = 80); -- partitioned by box
CREATE UNIQUE INDEX hooks_id ON hooks (id, box);
CREATE INDEX hooks_due ON hooks (target, next_at);
CREATE INDEX hooks_again ON hooks (target, next_at) WHERE attempts > 0 AND next_at > 0;
CREATE INDEX hooks_missed ON hooks (box, n) WHERE state <> 'delivered';
CREATE INDEX hooks_at ON hooks (at);
