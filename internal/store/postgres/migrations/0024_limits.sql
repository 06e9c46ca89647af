-- The mailboxes about which something was decided, so that nobody has to look at all of them.
CREATE INDEX mailboxes_control ON mailboxes (num) WHERE control <> '';
