/** A function that a distributed database has instead of that of the migrations. */
interface DistributedFunction {
  readonly name: string;
  /** Parameters and result. */
  readonly signature: string;
  readonly body: string;
}

/**
 * Citus commits a transaction that has changed several servers in two phases: when the coordinator has ended it, its rows
 * are still on their way, and after a crash they stay so until Citus has recovered it. Such a transaction has written rows
 * of `pg_dist_transaction`, and until its changes are on a server, it is in the list of what is prepared there. What
 * changes one server only is there before the coordinator ends it.
 */
const settledSnapshot = `
DECLARE
  seen pg_snapshot := pg_current_snapshot();
  next bigint := pg_snapshot_xmax(seen)::text::bigint;
  prepared text[];
  settled text;
BEGIN
  IF NOT EXISTS (SELECT FROM pg_dist_transaction) THEN
    RETURN seen;
  END IF;
  -- The server of the organization responds, whether the table has a row or not.
  SELECT (SELECT array_agg(gid) FROM pg_prepared_xact()) INTO prepared
    FROM organization_usage WHERE organization_id = an_organization HAVING count(*) >= 0;
  IF prepared IS NULL THEN
    RETURN seen;
  END IF;
  SELECT format('%s:%s:%s', least(min(id), pg_snapshot_xmin(seen)::text::bigint), next,
      string_agg(id::text, ',' ORDER BY id)) INTO settled
    FROM (
      SELECT xip::text::bigint AS id FROM pg_snapshot_xip(seen) AS xip
      UNION
      -- The whole id: the column has the lower half.
      SELECT id - CASE WHEN id >= next THEN 4294967296 ELSE 0 END FROM (
        SELECT (next >> 32 << 32) + xmin::text::bigint AS id FROM pg_dist_transaction
        WHERE gid = ANY (prepared)) AS ended) AS invisible;
  RETURN settled::pg_snapshot;
END`;

const organizationsBehind = `
BEGIN
  RETURN QUERY
    WITH newest AS MATERIALIZED (
      SELECT known.organization_id, last.transaction_id, last.id
      FROM (SELECT DISTINCT memberships.organization_id FROM memberships) AS known
      CROSS JOIN LATERAL (
        SELECT activities.organization_id, activities.transaction_id, activities.id FROM activities
        WHERE activities.organization_id = known.organization_id
        ORDER BY activities.transaction_id DESC, activities.id DESC LIMIT 1) AS last)
    SELECT DISTINCT log_positions.organization_id
    FROM log_positions JOIN newest ON newest.organization_id = log_positions.organization_id
    WHERE (newest.transaction_id, newest.id) > (log_positions.transaction_id, log_positions.activity_id);
END`;

const logLags = `
BEGIN
  RETURN QUERY
    WITH behind AS MATERIALIZED (
      SELECT log_positions.* FROM log_positions
      WHERE log_positions.organization_id IN (SELECT organizations_behind())),
    first AS MATERIALIZED (
      SELECT behind.consumer, min(activities.created_at) AS created_at
      FROM behind JOIN activities ON activities.organization_id = behind.organization_id
        AND (activities.transaction_id, activities.id) > (behind.transaction_id, behind.activity_id)
      GROUP BY behind.consumer)
    SELECT known.consumer, first.created_at
    FROM (SELECT DISTINCT log_positions.consumer FROM log_positions) AS known
    LEFT JOIN first ON first.consumer = known.consumer;
END`;

/** @see docs/decisions/0106-activities-by-organization.md */
export const distributedFunctions: readonly DistributedFunction[] = [
  {
    name: 'settled_snapshot',
    signature: '(an_organization uuid) RETURNS pg_snapshot',
    body: settledSnapshot,
  },
  {
    name: 'organizations_behind',
    signature: '() RETURNS SETOF uuid',
    body: organizationsBehind,
  },
  {
    name: 'log_lags',
    signature: '() RETURNS TABLE (consumer text, oldest timestamptz)',
    body: logLags,
  },
];
