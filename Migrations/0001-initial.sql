-- Accounts and their tokens, the log of edits, and the snapshot beside it: the log's fold.

-- The calendar columns are those of the account's first day: the start of its chain. The calendar
-- in force is in the snapshot.
CREATE TABLE account (
  number INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL, -- milliseconds since 1970, as every instant here
  time_zone TEXT NOT NULL,
  week_start INTEGER NOT NULL CHECK (week_start BETWEEN 1 AND 7), -- ISO 8601: Monday is 1
  day_start INTEGER NOT NULL CHECK (day_start BETWEEN 0 AND 720) -- minutes after midnight
) STRICT;

CREATE TABLE token (
  id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
  account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
  name TEXT NOT NULL,
  scope TEXT NOT NULL CHECK (scope IN ('read', 'write', 'bump')),
  goal BLOB CHECK (goal IS NULL OR length(goal) = 16),
  secret BLOB NOT NULL UNIQUE CHECK (length(secret) = 32), -- SHA-256 of the token's text
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  expires_at INTEGER,
  revoked_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX token_account ON token (account);

-- The log, which is the truth. `place` is account number × 2^40 + version, so that an account's
-- edits lie together in order and the table needs no second index for them.
CREATE TABLE edit (
  place INTEGER PRIMARY KEY,
  account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
  id BLOB NOT NULL CHECK (length(id) = 16),
  format INTEGER NOT NULL, -- of the payload
  payload TEXT NOT NULL, -- the recorded edit, as it was recorded and as clients read it
  inverse TEXT, -- what takes it back; null where the payload says enough
  hash BLOB NOT NULL CHECK (length(hash) = 32), -- SHA-256 over the hash before, format and payload
  UNIQUE (account, id)
) STRICT;

-- Of every edit that was ever taken back, how its chain of undo and redo stands.
CREATE TABLE undo_chain (
  account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
  root INTEGER NOT NULL, -- the version of the edit at the chain's start
  latest INTEGER NOT NULL, -- the version of the last undo in it
  undone INTEGER NOT NULL CHECK (undone IN (0, 1)), -- whether the root is taken back
  PRIMARY KEY (account, root)
) STRICT, WITHOUT ROWID;

CREATE TABLE snapshot (
  account INTEGER PRIMARY KEY REFERENCES account (number) ON DELETE CASCADE,
  format INTEGER NOT NULL, -- of the snapshot's rows, here and in the tables below
  time_zone TEXT NOT NULL,
  week_start INTEGER NOT NULL,
  day_start INTEGER NOT NULL,
  list BLOB NOT NULL -- the goals' slots in list order, each as four bytes, big-endian
) STRICT;

-- Every goal ever made; a deleted one keeps its row, its id stays taken. `slot` counts the
-- account's goals in the order they were made, from 0.
CREATE TABLE goal (
  account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
  slot INTEGER NOT NULL,
  id BLOB NOT NULL CHECK (length(id) = 16),
  title TEXT NOT NULL,
  colour TEXT NOT NULL,
  unit TEXT,
  timelines TEXT NOT NULL, -- JSON: from when which interval, frequency, activity, existence held
  PRIMARY KEY (account, slot)
) STRICT, WITHOUT ROWID;

-- What was counted on a day, if not 0, and whether the day is excused.
CREATE TABLE day (
  account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
  slot INTEGER NOT NULL,
  day INTEGER NOT NULL, -- days since 1970-01-01
  count INTEGER NOT NULL CHECK (count >= 0),
  excused INTEGER NOT NULL CHECK (excused IN (0, 1)),
  PRIMARY KEY (account, slot, day)
) STRICT, WITHOUT ROWID;

-- The notes of the bumps that stand, in log order.
CREATE TABLE note (
  account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
  slot INTEGER NOT NULL,
  version INTEGER NOT NULL, -- of the bump that carries it
  day INTEGER NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (account, slot, version)
) STRICT, WITHOUT ROWID;

-- One row that is written to learn whether the disk takes a write, and to put a commit behind one
-- that failed.
CREATE TABLE probe (
  number INTEGER PRIMARY KEY CHECK (number = 1),
  written_at INTEGER NOT NULL
) STRICT;
