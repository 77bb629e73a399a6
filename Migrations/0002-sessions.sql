-- Sessions: what a browser has in place of the token it was opened with.

CREATE TABLE session (
  secret BLOB NOT NULL PRIMARY KEY CHECK (length(secret) = 32), -- SHA-256 of the cookie's value
  token BLOB NOT NULL REFERENCES token (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  renewed_at INTEGER NOT NULL -- from when on it lasts; a use renews it, once a day
) STRICT, WITHOUT ROWID;

CREATE INDEX session_token ON session (token, renewed_at);
