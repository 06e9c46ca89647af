-- What a mailbox has sent, so that a list of it does not read what came in between.
CREATE INDEX messages_sent ON messages (pk) WHERE outbound = 1;
