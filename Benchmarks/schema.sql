-- What the peers keep: the part of Goals' schema that the loads touch. Both peers use it, and the
-- bench fills it with the same accounts, tokens and goals that Goals has.

PRAGMA journal_mode = WAL;

CREATE TABLE account (
  number INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  version INTEGER NOT NULL
) STRICT;

CREATE TABLE token (
  secret BLOB NOT NULL PRIMARY KEY CHECK (length(secret) = 32), -- SHA-256 of the token's text
  account INTEGER NOT NULL REFERENCES account (number),
  name TEXT NOT NULL,
  revoked_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE goal (
  number INTEGER PRIMARY KEY,
  account INTEGER NOT NULL REFERENCES account (number),
  id BLOB NOT NULL CHECK (length(id) = 16),
  position INTEGER NOT NULL,
  title TEXT NOT NULL,
  colour TEXT NOT NULL,
  interval TEXT NOT NULL CHECK (interval IN ('daily', 'weekly', 'monthly')),
  frequency INTEGER NOT NULL,
  unit TEXT,
  active INTEGER NOT NULL CHECK (active IN (0, 1)),
  UNIQUE (account, id),
  UNIQUE (account, position)
) STRICT;

-- What was counted on a day, in days since 1970-01-01.
CREATE TABLE day (
  goal INTEGER NOT NULL REFERENCES goal (number),
  day INTEGER NOT NULL,
  count INTEGER NOT NULL CHECK (count >= 0),
  PRIMARY KEY (goal, day)
) STRICT, WITHOUT ROWID;

CREATE TABLE edit (
  account INTEGER NOT NULL REFERENCES account (number),
  version INTEGER NOT NULL,
  id BLOB NOT NULL CHECK (length(id) = 16),
  goal INTEGER NOT NULL REFERENCES goal (number),
  by INTEGER NOT NULL,
  note TEXT,
  at INTEGER NOT NULL, -- milliseconds since 1970
  day INTEGER NOT NULL,
  recorded_at INTEGER NOT NULL,
  device TEXT NOT NULL,
  PRIMARY KEY (account, version),
  UNIQUE (account, id)
) STRICT, WITHOUT ROWID;
