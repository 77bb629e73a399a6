-- Whether anybody ever named the account's time zone, or the machine's was taken. Of the accounts that are there it
-- is not known: those that are or began in another zone than UTC, which every account was given, chose it.
ALTER TABLE account ADD COLUMN zone_chosen INTEGER NOT NULL DEFAULT 0 CHECK (zone_chosen IN (0, 1));

UPDATE account SET zone_chosen = 1
WHERE staged = 0 AND (time_zone <> 'UTC'
  OR EXISTS (SELECT 1 FROM snapshot AS s WHERE s.account = account.number AND s.time_zone <> 'UTC'));
