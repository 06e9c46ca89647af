-- How mailboxes send whose brakes are on.
CREATE TABLE paces (
  box  INTEGER PRIMARY KEY,
  pace TEXT NOT NULL
);
