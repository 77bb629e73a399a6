-- An import is written in portions, under an account of its own that nobody sees. The last transaction makes that
-- one the account that the import is for. What an import left behind that was cut off goes with its account.
ALTER TABLE account ADD COLUMN staged INTEGER NOT NULL DEFAULT 0
  CHECK (staged = 0 OR (staged = 1 AND name = '' AND created_at = 0));

CREATE INDEX account_staged ON account (number) WHERE staged = 1;
