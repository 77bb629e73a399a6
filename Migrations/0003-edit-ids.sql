-- The ids of edits in an index of their own, which takes them in later than the log, and in order.

-- What the last edits are called, a row for each commit in the order in which they came: ids that are not
-- in the index yet.
CREATE TABLE recent_id (
  number INTEGER PRIMARY KEY, -- grows from commit to commit; there may be gaps
  -- Of each edit its place in the log, as eight bytes, big-endian, and its id.
  ids BLOB NOT NULL CHECK (length(ids) > 0 AND length(ids) % 24 = 0)
) STRICT;

-- The index. An edit's id is here, in `recent_id`, or for a while in both.
CREATE TABLE edit_id (
  account INTEGER NOT NULL,
  id BLOB NOT NULL CHECK (length(id) = 16),
  version INTEGER NOT NULL,
  PRIMARY KEY (account, id)
) STRICT, WITHOUT ROWID;

INSERT INTO edit_id (account, id, version)
SELECT account, id, place & 1099511627775 FROM edit ORDER BY account, id;

-- The log, as it was but for what others tell: the place says which account's an edit is.
CREATE TABLE log (
  place INTEGER PRIMARY KEY, -- account number × 2^40 + version
  id BLOB NOT NULL CHECK (length(id) = 16),
  format INTEGER NOT NULL, -- of the payload
  payload TEXT NOT NULL, -- the recorded edit, as it was recorded and as clients read it
  inverse TEXT, -- what takes it back; null where the payload says enough
  hash BLOB NOT NULL CHECK (length(hash) = 32) -- SHA-256 over the hash before, format and payload
) STRICT;

INSERT INTO log (place, id, format, payload, inverse, hash)
SELECT place, id, format, payload, inverse, hash FROM edit ORDER BY place;

DROP TABLE edit;
ALTER TABLE log RENAME TO edit;

-- A row of `recent_id` may name several accounts' edits: whoever deletes an account takes its ids out.
CREATE TRIGGER account_log AFTER DELETE ON account BEGIN
  DELETE FROM edit WHERE place >= OLD.number << 40 AND place < (OLD.number + 1) << 40;
  DELETE FROM edit_id WHERE account = OLD.number; END;
