-- What event_base was before a restore raised it: the number of an event up to this seq is base + seq.
CREATE TABLE bases (
  box  INTEGER NOT NULL,
  seq  INTEGER NOT NULL,
  base INTEGER NOT NULL,
  PRIMARY KEY (box, seq)
) WITHOUT ROWID;
