-- A round: edits of many accounts, each decided on a head of its account. An account that still stands there
-- gets its edits, the rows of its snapshot that changed, and the new head; its id is answered with false. The others
-- get nothing. One that still stands there, but has one of the edits already, is answered with true; without the locks
-- below one that has moved on is, too.
-- $8 names no account twice, and no array a row of a table twice.
--
-- Where rows of many accounts can't be locked, which is so on Citus, the lines that end in "locked" are left out.
WITH named AS MATERIALIZED (
  SELECT * FROM unnest($1::uuid[], $2::bigint[], $3::uuid[], $4::text[], $5::text[], $6::bytea[])
    AS e (account, version, id, payload, inverse, chain)
),
-- Whoever waits for a row looks at it anew once it has it, and takes it only if it still is the one expected.
-- The order keeps rounds from waiting for each other in a circle.
held AS MATERIALIZED (
  SELECT r.*
  FROM unnest($8::uuid[], $9::bigint[], $10::bytea[], $11::bytea[], $12::bigint[], $13::bytea[], $14::bigint[],
    $47::bool[]) AS r (id, expected, before, seal, version, chain, log_bytes, names_zone)
  JOIN account AS a -- locked
    ON a.id = r.id AND a.version = r.expected AND a.chain = r.before AND a.seal = r.seal -- locked
  ORDER BY r.id
  FOR NO KEY UPDATE OF a -- locked
),
-- An edit that is recorded already: its account is decided again, with what is recorded at hand.
known AS MATERIALIZED (
  SELECT DISTINCT e.account FROM named AS n JOIN edit AS e ON e.account = n.account AND e.id = n.id
),
-- It asks once more what "held" has made sure of: without locks this is what makes sure, as an update that has
-- waited for a row looks at it anew, too. Two rounds may wait for each other then, and one is tried again.
won AS (
  UPDATE account AS a SET version = h.version, chain = h.chain, log_bytes = h.log_bytes,
    zone_chosen = a.zone_chosen OR h.names_zone
  FROM held AS h
  WHERE a.id = h.id AND a.version = h.expected AND a.chain = h.before AND a.seal = h.seal
    AND NOT EXISTS (SELECT FROM known AS k WHERE k.account = h.id)
  RETURNING a.id
),
logged AS (
  INSERT INTO edit (account, version, id, format, payload, inverse, chain)
  SELECT n.account, n.version, n.id, $7::smallint, n.payload, n.inverse, n.chain
  FROM named AS n JOIN won AS w ON w.id = n.account
),
turned AS (
  INSERT INTO undo_chain (account, root, latest, undone)
  SELECT x.account, x.root, x.latest, x.turned
  FROM unnest($15::uuid[], $16::bigint[], $17::bigint[], $18::bool[]) AS x (account, root, latest, turned)
  JOIN won AS w ON w.id = x.account
  ON CONFLICT (account, root) DO UPDATE
    SET latest = excluded.latest, undone = undo_chain.undone <> excluded.undone
),
listed AS (
  INSERT INTO snapshot (account, time_zone, week_start, day_start, list)
  SELECT x.account, x.time_zone, x.week_start, x.day_start, x.list
  FROM unnest($19::uuid[], $20::text[], $21::smallint[], $22::smallint[], $23::bytea[])
    AS x (account, time_zone, week_start, day_start, list)
  JOIN won AS w ON w.id = x.account
  ON CONFLICT (account) DO UPDATE SET time_zone = excluded.time_zone, week_start = excluded.week_start,
    day_start = excluded.day_start, list = excluded.list
),
tracked AS (
  INSERT INTO goal (account, slot, id, title, colour, unit, timelines)
  SELECT x.account, x.slot, x.id, x.title, x.colour, x.unit, x.timelines
  FROM unnest($24::uuid[], $25::bigint[], $26::uuid[], $27::text[], $28::text[], $29::text[], $30::text[])
    AS x (account, slot, id, title, colour, unit, timelines)
  JOIN won AS w ON w.id = x.account
  ON CONFLICT (account, slot) DO UPDATE SET title = excluded.title, colour = excluded.colour,
    unit = excluded.unit, timelines = excluded.timelines
),
counted AS (
  INSERT INTO day (account, slot, day, count, excused)
  SELECT x.account, x.slot, x.day, x.count, x.excused
  FROM unnest($31::uuid[], $32::bigint[], $33::bigint[], $34::bigint[], $35::bool[])
    AS x (account, slot, day, count, excused)
  JOIN won AS w ON w.id = x.account
  ON CONFLICT (account, slot, day) DO UPDATE SET count = excluded.count, excused = excluded.excused
),
cleared AS (
  DELETE FROM day AS d
  USING unnest($36::uuid[], $37::bigint[], $38::bigint[]) AS x (account, slot, day) JOIN won AS w
    ON w.id = x.account
  WHERE d.account = x.account AND d.slot = x.slot AND d.day = x.day
),
noted AS (
  INSERT INTO note (account, slot, version, day, text)
  SELECT x.account, x.slot, x.version, x.day, x.text
  FROM unnest($39::uuid[], $40::bigint[], $41::bigint[], $42::bigint[], $43::bytea[])
    AS x (account, slot, version, day, text)
  JOIN won AS w ON w.id = x.account
  ON CONFLICT (account, slot, version) DO UPDATE SET day = excluded.day, text = excluded.text
),
erased AS (
  DELETE FROM note AS o
  USING unnest($44::uuid[], $45::bigint[], $46::bigint[]) AS x (account, slot, version) JOIN won AS w
    ON w.id = x.account
  WHERE o.account = x.account AND o.slot = x.slot AND o.version = x.version
)
SELECT id, false FROM won
UNION ALL
SELECT h.id, true FROM held AS h JOIN known AS k ON k.account = h.id
