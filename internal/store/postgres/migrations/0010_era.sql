-- A database that was restored, or whose standby took over, may have lost the last numbers that it gave out. Where mark is not
-- the server's, a new era begins: from then on every mailbox numbers its events above the moment at which it began.
CREATE TABLE era (
  number bigint NOT NULL,
  at     bigint NOT NULL,
  mark   text NOT NULL                   -- of the server and the tables, see era.go
);
INSERT INTO era VALUES (0, 0, '');

ALTER TABLE counters ADD COLUMN era bigint NOT NULL DEFAULT 0; -- of its last number
