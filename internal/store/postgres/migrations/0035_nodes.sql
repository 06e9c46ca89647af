-- The nodes that work on this database: each writes its row twice a minute.
CREATE TABLE nodes (
  name       text PRIMARY KEY,
  version    text NOT NULL,
  started_at timestamptz NOT NULL,
  seen_at    timestamptz NOT NULL
) WITH (fillfactor = 50);
