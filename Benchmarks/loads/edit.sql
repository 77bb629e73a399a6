-- pgbench's part of the bench: what records a bump, in a transaction of its own. No chain is worked
-- out.
\set account random(0, :last)
\set slot random(0, 19)
BEGIN;
SELECT version + 1 AS version FROM account WHERE id = md5('account ' || :account)::uuid FOR UPDATE \gset
INSERT INTO edit (account, version, id, format, payload, chain)
  SELECT id, :version, gen_random_uuid(), 1, rpad('{"type":"bump"}', 170), chain
  FROM account WHERE id = md5('account ' || :account)::uuid;
INSERT INTO day (account, slot, day, count, excused) VALUES (md5('account ' || :account)::uuid, :slot, 20000, 1, false)
  ON CONFLICT (account, slot, day) DO UPDATE SET count = day.count + 1;
UPDATE account SET version = :version, log_bytes = log_bytes + 298 WHERE id = md5('account ' || :account)::uuid;
COMMIT;
