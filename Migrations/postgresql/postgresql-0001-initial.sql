-- Accounts and their tokens, the log of edits, and the snapshot beside it: the log's fold. What the columns
-- mean is told in ../0001-initial.sql; here stands what is otherwise.
--
-- Every table is asked for by account, or by a secret. There are no foreign keys, as each would be a look-up
-- for every edit: who removes an account deletes from every table in one transaction, from `account` first.

-- An account's row is its head, too: a round of edits is recorded where version, chain and seal are those that
-- it was decided on, and moves version and chain on. It is updated with every round: there is room on its page
-- for the next version of the row (a HOT update).
CREATE TABLE account (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  created_at bigint NOT NULL, -- milliseconds since 1970, as every instant here
  time_zone text NOT NULL,
  zone_chosen boolean NOT NULL,
  week_start smallint NOT NULL CHECK (week_start BETWEEN 1 AND 7),
  day_start smallint NOT NULL CHECK (day_start BETWEEN 0 AND 720),
  version bigint NOT NULL DEFAULT 0 CHECK (version >= 0), -- of the log's last edit
  chain bytea NOT NULL CHECK (length(chain) = 32), -- the log's hash up to there
  log_bytes bigint NOT NULL DEFAULT 0, -- of each edit its payload, its inverse, and 128 for the rest
  seal bytea NOT NULL CHECK (length(seal) = 32), -- over this row's book-keeping and the tokens
  snapshot_format smallint NOT NULL
) WITH (fillfactor = 60);

CREATE TABLE token (
  secret bytea PRIMARY KEY CHECK (length(secret) = 32), -- SHA-256 of the token's text
  id uuid NOT NULL,
  account uuid NOT NULL,
  name text NOT NULL,
  scope text NOT NULL CHECK (scope IN ('read', 'write', 'bump')),
  goal uuid,
  created_at bigint NOT NULL,
  last_used_at bigint,
  expires_at bigint,
  revoked_at bigint
) WITH (fillfactor = 80);

CREATE INDEX token_account ON token (account, created_at);
CREATE UNIQUE INDEX token_id ON token (id);

CREATE TABLE session (
  secret bytea PRIMARY KEY CHECK (length(secret) = 32), -- SHA-256 of the cookie's value
  token bytea NOT NULL, -- the token's secret
  created_at bigint NOT NULL,
  renewed_at bigint NOT NULL
);

CREATE INDEX session_token ON session (token, renewed_at);

CREATE TABLE edit (
  account uuid NOT NULL,
  version bigint NOT NULL CHECK (version > 0),
  id uuid NOT NULL,
  format smallint NOT NULL,
  payload text NOT NULL,
  inverse text,
  chain bytea NOT NULL CHECK (length(chain) = 32),
  PRIMARY KEY (account, version),
  UNIQUE (account, id)
);

CREATE TABLE undo_chain (
  account uuid NOT NULL,
  root bigint NOT NULL,
  latest bigint NOT NULL,
  undone boolean NOT NULL,
  PRIMARY KEY (account, root)
);

CREATE TABLE snapshot (
  account uuid PRIMARY KEY,
  time_zone text NOT NULL,
  week_start smallint NOT NULL,
  day_start smallint NOT NULL,
  list bytea NOT NULL
);

CREATE TABLE goal (
  account uuid NOT NULL,
  slot integer NOT NULL,
  id uuid NOT NULL,
  title text NOT NULL,
  colour text NOT NULL,
  unit text,
  timelines text NOT NULL,
  PRIMARY KEY (account, slot)
);

-- A day is counted on again and again.
CREATE TABLE day (
  account uuid NOT NULL,
  slot integer NOT NULL,
  day integer NOT NULL,
  count bigint NOT NULL CHECK (count >= 0),
  excused boolean NOT NULL,
  PRIMARY KEY (account, slot, day)
) WITH (fillfactor = 70);

CREATE TABLE note (
  account uuid NOT NULL,
  slot integer NOT NULL,
  version bigint NOT NULL,
  day integer NOT NULL,
  text bytea NOT NULL, -- UTF-8: a note may have a NUL in it, and a text here may not
  PRIMARY KEY (account, slot, version)
);

-- A row that each server writes to learn whether the database takes a write.
CREATE TABLE probe (
  server uuid PRIMARY KEY,
  written_at bigint NOT NULL
) WITH (fillfactor = 50);
