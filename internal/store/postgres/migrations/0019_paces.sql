-- How mailboxes send whose brakes are on.
CREATE TABLE paces (
  box  bigint PRIMARY KEY,
  pace bytea NOT NULL
) WITH (fillfactor = 70);
