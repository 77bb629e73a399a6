-- The accounts that were removed: a restore of an older backup does not bring them back.

CREATE TABLE removed_account (
  id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16)
) STRICT, WITHOUT ROWID;
