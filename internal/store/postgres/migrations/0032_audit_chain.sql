-- Who did it, from where and with which request (JSON of mailbox.AuditFacts), and the entry's place in the chain: each
-- has the hash of the one before. Entries from before the chain have seq 0.
ALTER TABLE audits ADD COLUMN facts bytea NOT NULL DEFAULT '';
ALTER TABLE audits ADD COLUMN seq bigint NOT NULL DEFAULT 0;
ALTER TABLE audits ADD COLUMN previous bytea NOT NULL DEFAULT '';
ALTER TABLE audits ADD COLUMN hash bytea NOT NULL DEFAULT '';
-- The ends of the chain, in one row: the newest entry, and the newest of those that retention has deleted.
CREATE TABLE audit_chain (
  id        bigint PRIMARY KEY,          -- 1
  head_seq  bigint NOT NULL,
  head_hash bytea NOT NULL,
  base_seq  bigint NOT NULL,
  base_hash bytea NOT NULL
) WITH (fillfactor = 50);
