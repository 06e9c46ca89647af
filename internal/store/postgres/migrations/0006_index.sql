-- The index of words and vectors, and who may write it. Everything in index_* is derived from the messages: it can be emptied, with all
-- places at 0, and is then made again. A format that old nodes cannot read gets tables of its own.

CREATE TABLE index_progress (
  what  text PRIMARY KEY,                -- words or vectors
  place bigint NOT NULL,                 -- up to which they have been made
  model text NOT NULL
);
INSERT INTO index_progress VALUES ('words', 0, ''), ('vectors', 0, '');

-- The last number that was given to a segment: microseconds, at least, so that none is used again even if a crash takes this row back.
CREATE TABLE index_number (number bigint NOT NULL);
INSERT INTO index_number VALUES (0);

CREATE TABLE index_segments (
  box     bigint NOT NULL,
  id      bigint NOT NULL,
  docs    integer NOT NULL,
  blocks  integer NOT NULL,
  min_seq bigint NOT NULL,
  max_seq bigint NOT NULL,
  bytes   bigint NOT NULL,
  PRIMARY KEY (box, id)
); -- partitioned by box

-- Blocks are packed bits already: compressing them would save a sixth, and make writing them ten times as dear. What fits in a page stays in
-- the row, which is all there is of a segment of a few mails. Merges write everything several times, so what they leave is cleared early.
CREATE TABLE index_blocks (
  box     bigint NOT NULL,
  segment bigint NOT NULL,
  n       integer NOT NULL,
  data    bytea NOT NULL,
  PRIMARY KEY (box, segment, n)
) WITH (toast_tuple_target = 8160, autovacuum_vacuum_scale_factor = 0.05, toast.autovacuum_vacuum_scale_factor = 0.05); -- partitioned by box
ALTER TABLE index_blocks ALTER COLUMN data SET STORAGE EXTERNAL;

CREATE TABLE index_vectors (
  box  bigint NOT NULL,
  seq  bigint NOT NULL,
  data bytea NOT NULL,
  PRIMARY KEY (box, seq)
); -- partitioned by box
ALTER TABLE index_vectors ALTER COLUMN data SET STORAGE EXTERNAL;

-- Messages that were deleted and are still in segments, mailboxes whose segments changed, those whose segments are to be made anew, and
-- those that are searched by meaning.
CREATE TABLE index_dropped (box bigint NOT NULL, seq bigint NOT NULL, PRIMARY KEY (box, seq));
CREATE TABLE index_unmerged (box bigint PRIMARY KEY);
CREATE TABLE index_renewals (box bigint PRIMARY KEY);
CREATE TABLE index_asked (box bigint PRIMARY KEY, at bigint NOT NULL);
CREATE INDEX index_asked_at ON index_asked (at);

-- Work that one node does at a time. A change of the fence waits for who writes under the old one, because of the second key; a change of
-- until does not.
CREATE TABLE leases (
  what   text PRIMARY KEY,
  holder text NOT NULL,                  -- empty: it was given back
  until  timestamptz NOT NULL,
  fence  bigint NOT NULL,
  UNIQUE (what, fence)
);
