-- Messages that wait for a decision, of which nobody was told by mail yet though somebody is to be.
ALTER TABLE reviews ADD COLUMN unnoticed INTEGER NOT NULL DEFAULT 0;
CREATE INDEX reviews_unnoticed ON reviews (box) WHERE unnoticed = 1 AND status = 'held';
