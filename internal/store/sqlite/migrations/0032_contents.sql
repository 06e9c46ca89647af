-- The content of a deleted message goes with those of others.
ALTER TABLE forgotten ADD COLUMN doc INTEGER NOT NULL DEFAULT 0; -- its content may still be there; 0: it is not
