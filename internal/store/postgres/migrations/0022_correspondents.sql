-- A contact that has written to the mailbox, or to which a person has approved mail.
ALTER TABLE contacts ADD COLUMN correspondent boolean NOT NULL DEFAULT false;
UPDATE contacts c SET correspondent = true FROM (SELECT DISTINCT box, CASE WHEN from_lower IS NULL THEN from_addr
    ELSE substring(from_lower FROM 1 FOR position('\xff'::bytea IN from_lower) - 1) END AS address FROM messages
  WHERE NOT outbound AND position(' suspicious '::bytea IN ' '::bytea || labels || ' '::bytea) = 0) m
  WHERE c.box = m.box AND c.address = m.address;
