-- Whether a mailbox was noted as one that has a key of its own: without it that key is lost, also where it has no mail.
ALTER TABLE mailboxes ADD COLUMN keyed INTEGER NOT NULL DEFAULT 0;
