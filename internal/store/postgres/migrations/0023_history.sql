-- What happened to messages, where nothing else says it: who read them first, how their labels changed, attempts to deliver them before
-- the last one.
CREATE TABLE history (
  box   bigint NOT NULL,
  seq   bigint NOT NULL,                 -- of the message
  n     bigint NOT NULL,
  at    bigint NOT NULL,
  kind  text NOT NULL,
  actor bytea NOT NULL,                  -- id of a key, or "operator"; empty: nobody in particular
  facts bytea NOT NULL,                  -- JSON of mailbox.HistoryFacts
  PRIMARY KEY (box, seq, n)
);

-- When the last attempt was.
ALTER TABLE deliveries ADD COLUMN tried_at bigint NOT NULL DEFAULT 0; -- 0: none, or before this was noted
