-- Links that sign somebody in once, tokens that know which token made them, and the scope `count`.

-- Made anew for its CHECK of the scope.
CREATE TABLE new_token (
  id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
  account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
  name TEXT NOT NULL,
  scope TEXT NOT NULL CHECK (scope IN ('read', 'count', 'write', 'bump')),
  goal BLOB CHECK (goal IS NULL OR length(goal) = 16),
  secret BLOB NOT NULL UNIQUE CHECK (length(secret) = 32), -- SHA-256 of the token's text
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  expires_at INTEGER,
  revoked_at INTEGER,
  made_by BLOB CHECK (made_by IS NULL OR length(made_by) = 16) -- the token that made it
) STRICT, WITHOUT ROWID;

INSERT INTO new_token (id, account, name, scope, goal, secret, created_at, last_used_at, expires_at, revoked_at)
SELECT id, account, name, scope, goal, secret, created_at, last_used_at, expires_at, revoked_at FROM token;

DROP TABLE token;
ALTER TABLE new_token RENAME TO token;
CREATE INDEX token_account ON token (account);

-- A link that was not used yet: what the token will be that its code makes.
CREATE TABLE link (
  secret BLOB NOT NULL PRIMARY KEY CHECK (length(secret) = 32), -- SHA-256 of the code's text
  account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
  name TEXT NOT NULL,
  scope TEXT NOT NULL CHECK (scope IN ('read', 'count', 'write', 'bump')),
  goal BLOB CHECK (goal IS NULL OR length(goal) = 16),
  token_expires_at INTEGER,
  made_by BLOB CHECK (made_by IS NULL OR length(made_by) = 16),
  ends_at INTEGER NOT NULL -- from then on the code opens nothing
) STRICT, WITHOUT ROWID;

CREATE INDEX link_account ON link (account, ends_at);
