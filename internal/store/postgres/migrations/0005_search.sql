-- The index of words works through the messages in the order of their places; what it is to forget is noted in the same order.
--
-- A place is made of the transaction's number and a number within it, so that one knows of which places none can be added any more: a
-- sequence gives a number to a transaction that may end long after later ones. Transactions of another server may begin lower, after a
-- dump and its restore; base lifts their numbers above those that were given.

CREATE TABLE places (
  base bigint NOT NULL,
  seen bigint NOT NULL                   -- the highest number that was taken off the list of what is to be forgotten
);
INSERT INTO places VALUES (0, 0);

CREATE INDEX messages_place ON messages (place);

CREATE TABLE forgotten (
  n   bigint PRIMARY KEY,
  box bigint NOT NULL,
  seq bigint NOT NULL                    -- 0: the whole mailbox
);
