-- The text of attachments, read once. What is to be done about it is a narrow table of its own, so that a step does not move the text.

CREATE TABLE part_texts (
  box    INTEGER NOT NULL,
  seq    INTEGER NOT NULL,
  packed BLOB NOT NULL,
  PRIMARY KEY (box, seq)
);

CREATE TABLE text_work (
  step INTEGER NOT NULL,                 -- 0: to be read, 1: to be taken up by the index
  box  INTEGER NOT NULL,
  seq  INTEGER NOT NULL,
  PRIMARY KEY (step, box, seq)
) WITHOUT ROWID;
