-- Links that sign somebody in once, tokens that know which token made them, and the scope `count`.

ALTER TABLE token ADD COLUMN made_by uuid;
ALTER TABLE token DROP CONSTRAINT token_scope_check;
ALTER TABLE token ADD CONSTRAINT token_scope_check CHECK (scope IN ('read', 'count', 'write', 'bump'));

CREATE TABLE link (
  secret bytea PRIMARY KEY CHECK (length(secret) = 32), -- SHA-256 of the code's text
  account uuid NOT NULL,
  name text NOT NULL,
  scope text NOT NULL CHECK (scope IN ('read', 'count', 'write', 'bump')),
  goal uuid,
  token_expires_at bigint,
  made_by uuid,
  ends_at bigint NOT NULL
);

CREATE INDEX link_account ON link (account, ends_at);
