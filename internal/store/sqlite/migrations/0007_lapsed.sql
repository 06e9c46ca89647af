-- When the record that shows who owns a verified domain was found to be gone from the DNS.
ALTER TABLE domains ADD COLUMN lapsed_at INTEGER NOT NULL DEFAULT 0; -- 0: it is there
