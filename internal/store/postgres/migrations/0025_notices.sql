-- Messages that wait for a decision, of which nobody was told by mail yet though somebody is to be.
ALTER TABLE reviews ADD COLUMN unnoticed boolean NOT NULL DEFAULT false;
CREATE INDEX reviews_unnoticed ON reviews (box) WHERE unnoticed AND status = 'held';
