-- Events on their way to webhooks, and where they go.

ALTER TABLE mailboxes ADD COLUMN routed INTEGER NOT NULL DEFAULT 0; -- 1: it has rows in hook_routes

CREATE TABLE hook_routes (
  box        INTEGER NOT NULL,
  label      TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  url        TEXT NOT NULL,
  failed     INTEGER NOT NULL,
  fails      INTEGER NOT NULL,
  tried      INTEGER NOT NULL,
  error      TEXT NOT NULL,
  PRIMARY KEY (box, label)
) WITHOUT ROWID;

-- What is due is looked for here: one row however much a target has waiting.
CREATE TABLE hook_targets (
  id      INTEGER PRIMARY KEY AUTOINCREMENT,
  box     INTEGER NOT NULL,
  url     TEXT NOT NULL,
  next_at INTEGER NOT NULL               -- of its next hook; 0: it has none
);
CREATE UNIQUE INDEX hook_targets_url ON hook_targets (box, url);
CREATE INDEX hook_targets_due ON hook_targets (next_at) WHERE next_at > 0;

CREATE TABLE hooks (
  n        INTEGER PRIMARY KEY,
  id       BLOB NOT NULL,
  box      INTEGER NOT NULL,
  target   INTEGER NOT NULL,
  event    INTEGER NOT NULL,
  kind     TEXT NOT NULL,
  message  BLOB NOT NULL,
  at       INTEGER NOT NULL,
  state    TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  next_at  INTEGER NOT NULL,             -- 0: never
  lease    INTEGER NOT NULL,
  leased   INTEGER NOT NULL,
  log      TEXT NOT NULL,
  body     BLOB NOT NULL
);
CREATE UNIQUE INDEX hooks_id ON hooks (id);
CREATE INDEX hooks_due ON hooks (target, next_at);
CREATE INDEX hooks_again ON hooks (target, next_at) WHERE attempts > 0 AND next_at > 0;
CREATE INDEX hooks_box ON hooks (box, n, kind, message);
CREATE INDEX hooks_missed ON hooks (box, n) WHERE state <> 'delivered';
