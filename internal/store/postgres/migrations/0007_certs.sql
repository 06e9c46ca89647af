-- Certificates that an authority has given, their keys and the account, which all nodes share. Values are encrypted with a key made
-- from MAILKIN_SECRET. Keys are paths; in this order everything under a path lies together.
CREATE TABLE certs (key text COLLATE "C" PRIMARY KEY, value bytea NOT NULL, changed timestamptz NOT NULL);
