-- A contact that has written to the mailbox, or to which a person has approved mail.
ALTER TABLE contacts ADD COLUMN correspondent INTEGER NOT NULL DEFAULT 0;
UPDATE contacts SET correspondent = 1 WHERE (box, address) IN (SELECT pk >> 32, lower(from_addr) FROM messages
  WHERE outbound = 0 AND ' ' || labels || ' ' NOT LIKE '% suspicious %');
