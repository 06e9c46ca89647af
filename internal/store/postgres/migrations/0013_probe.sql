-- Written, and taken back, to see whether there is room for mail. It is always empty.
CREATE TABLE probe (data bytea NOT NULL);
ALTER TABLE probe ALTER COLUMN data SET STORAGE EXTERNAL;
