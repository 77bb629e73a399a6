-- How many bytes an account's log takes, and what the book of accounts and tokens comes to.

-- Of the account's log up to the edit: of each edit its payload, its inverse, and 128 for the rest (its id, hash
-- and index). Null in rows from before there was this column.
ALTER TABLE edit ADD COLUMN bytes INTEGER;

-- What the rows without `edit.bytes` come to together.
ALTER TABLE account ADD COLUMN old_bytes INTEGER NOT NULL DEFAULT 0;

UPDATE account SET old_bytes = coalesce((
  SELECT sum(length(CAST(payload AS BLOB)) + coalesce(length(CAST(inverse AS BLOB)), 0) + 128)
  FROM edit WHERE place >= account.number << 40 AND place < (account.number + 1) << 40), 0);

-- The sum, modulo 2^256, of SHA-256 over what the account's own row says and of SHA-256 over what each of its
-- tokens' rows says, but for when a token was last used. Nothing can be changed, added or taken away there by
-- anything else than this program without its being seen.
ALTER TABLE account ADD COLUMN seal BLOB NOT NULL
  DEFAULT x'0000000000000000000000000000000000000000000000000000000000000000'
  CHECK (length(seal) = 32);
