-- The hooks of a message, which lose what it says when it is deleted.
CREATE INDEX hooks_message ON hooks (message, n);
