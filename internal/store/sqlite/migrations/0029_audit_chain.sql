-- Who did it, from where and with which request (JSON of mailbox.AuditFacts), and the entry's place in the chain: each
-- has the hash of the one before. Entries from before the chain have seq 0.
ALTER TABLE audits ADD COLUMN facts TEXT NOT NULL DEFAULT '';
ALTER TABLE audits ADD COLUMN seq INTEGER NOT NULL DEFAULT 0;
ALTER TABLE audits ADD COLUMN previous BLOB NOT NULL DEFAULT x'';
ALTER TABLE audits ADD COLUMN hash BLOB NOT NULL DEFAULT x'';
-- The ends of the chain, in one row: the newest entry, and the newest of those that retention has deleted.
CREATE TABLE audit_chain (
  id        INTEGER PRIMARY KEY,         -- 1
  head_seq  INTEGER NOT NULL,
  head_hash BLOB NOT NULL,
  base_seq  INTEGER NOT NULL,
  base_hash BLOB NOT NULL
);
