-- What happened to messages, where nothing else says it: who read them first, how their labels changed, attempts to deliver them before
-- the last one.
CREATE TABLE history (
  box   INTEGER NOT NULL,
  seq   INTEGER NOT NULL,                -- of the message
  n     INTEGER NOT NULL,
  at    INTEGER NOT NULL,
  kind  TEXT NOT NULL,
  actor TEXT NOT NULL,                   -- id of a key, or "operator"; empty: nobody in particular
  facts TEXT NOT NULL,                   -- JSON of mailbox.HistoryFacts
  PRIMARY KEY (box, seq, n)
) WITHOUT ROWID;

-- When the last attempt was.
ALTER TABLE deliveries ADD COLUMN tried_at INTEGER NOT NULL DEFAULT 0; -- 0: none, or before this was noted
