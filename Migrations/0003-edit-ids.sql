-- The ids of edits in an index of their own, which takes them in later than the log, and in order.

-- What the last edits are called, in the order in which they came: ids that are not in the index yet.
CREATE TABLE recent_id (
  number INTEGER PRIMARY KEY, -- each row's is that of the row before it, plus 1
  place INTEGER NOT NULL, -- of the edit in the log
  id BLOB NOT NULL CHECK (length(id) = 16)
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

CREATE TRIGGER account_log AFTER DELETE ON account BEGIN
  DELETE FROM edit WHERE place >= OLD.number << 40 AND place < (OLD.number + 1) << 40;
  DELETE FROM edit_id WHERE account = OLD.number;
  DELETE FROM recent_id WHERE place >= OLD.number << 40 AND place < (OLD.number + 1) << 40; END;
