-- What the owner of a mailbox says about it (JSON of mailbox.Profile), and the name under which its maker asks for it
-- again, together with the maker.
ALTER TABLE mailboxes ADD COLUMN profile bytea NOT NULL DEFAULT '';
ALTER TABLE mailboxes ADD COLUMN client bytea NOT NULL DEFAULT '';
CREATE UNIQUE INDEX mailboxes_client ON mailboxes (client) WHERE client <> '';
