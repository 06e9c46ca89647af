-- The mailbox that had the domain of an address when the mailbox was made; 0: the domain was the deployment's own.
ALTER TABLE mailboxes ADD COLUMN domain_owner INTEGER NOT NULL DEFAULT 0;
UPDATE mailboxes SET domain_owner = coalesce((SELECT d.box FROM domains d
  WHERE d.name = substr(mailboxes.address, instr(mailboxes.address, '@') + 1) AND d.verified_at > 0
  ORDER BY d.lapsed_at = 0 DESC, d.lapsed_at DESC LIMIT 1), 0);
