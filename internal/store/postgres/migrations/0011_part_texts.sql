-- The text of attachments, read once. What is to be done about it is a narrow table of its own, so that a step does not move the text.

CREATE TABLE part_texts (
  box    bigint NOT NULL,
  seq    bigint NOT NULL,
  packed bytea NOT NULL,
  PRIMARY KEY (box, seq)
); -- partitioned by box
ALTER TABLE part_texts ALTER COLUMN packed SET STORAGE EXTERNAL; -- it is compressed already

CREATE TABLE text_work (
  step smallint NOT NULL,                -- 0: to be read, 1: to be taken up by the index
  box  bigint NOT NULL,
  seq  bigint NOT NULL,
  PRIMARY KEY (step, box, seq)
) WITH (autovacuum_vacuum_scale_factor = 0.05);
