import { readOnItsServer } from './session/on-its-server.ts';

/** A function that only a distributed database has, or has instead of that of the migrations. */
interface DistributedFunction {
  readonly name: string;
  /** Parameters, result and volatility. */
  readonly signature: string;
  readonly body: string;
  /** The parameter whose server runs it, with the tables of that server only; default: the coordinator runs it. */
  readonly organization?: string;
  /** What is there when it begins to be used. */
  readonly preparation?: string;
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

const isCommitted = `
BEGIN
  IF an_organization IS NULL THEN
    RETURN false;
  END IF;
  PERFORM FROM committed_responses
    WHERE committed_responses.organization_id = an_organization
      AND committed_responses.scope = claimed.scope AND committed_responses.operation = claimed.operation
      AND committed_responses.key = claimed.key AND committed_responses.expires_at > at;
  RETURN FOUND;
END`;

/** The worker commits first, so that a key whose own response is lost there is still refused to others. */
const commitResponse = `
BEGIN
  IF an_organization IS NULL THEN
    -- Which one it is, if any, is known only to the transaction.
    DELETE FROM joint_commits;
    RETURN true;
  END IF;
  INSERT INTO committed_responses (organization_id, scope, operation, key, payload_hash, status, headers, body, expires_at)
    VALUES (an_organization, settled.scope, settled.operation, settled.key, settled.payload_hash, settled.status,
      settled.headers, settled.body, settled.expires_at)
    ON CONFLICT (organization_id, scope, operation, key) DO UPDATE
      SET payload_hash = EXCLUDED.payload_hash, status = EXCLUDED.status, headers = EXCLUDED.headers,
        body = EXCLUDED.body, expires_at = EXCLUDED.expires_at
      WHERE committed_responses.expires_at <= at;
  RETURN FOUND;
END`;

/** The announcement is made when the coordinator ends the transaction: the job is on its worker by then, or soon. */
const enqueueOutgoing = `
BEGIN
  INSERT INTO outgoing_jobs (organization_id, id, name, payload, job_key, run_at, max_attempts, enqueued_at)
    VALUES (an_organization, gen_random_uuid(), a_name, a_payload, a_key, a_start, most_attempts, clock_timestamp());
  PERFORM pg_notify('changes', 'jobs:' || an_organization);
  RETURN NULL;
END`;

/**
 * Each upload that is under way has a claim, unless the coordinator has lost it with its commit. At the limit the servers of
 * the claims' organizations are asked: what has ended there loses its claim, and what has lost one gets it again. It lives
 * for as long as an upload that has started, also if its own hasn't yet.
 */
const claimUpload = `
DECLARE
  homes uuid[];
  claimed integer;
BEGIN
  SELECT count(*) INTO claimed FROM upload_claims
    WHERE upload_claims.user_id = a_user AND upload_claims.expires_at > at;
  IF claimed >= most THEN
    WITH former AS (
      DELETE FROM upload_claims WHERE upload_claims.user_id = a_user RETURNING upload_claims.organization_id)
    SELECT array_agg(DISTINCT former.organization_id) INTO homes FROM former;
    INSERT INTO upload_claims (organization_id, upload_id, user_id, expires_at)
      SELECT uploads.organization_id, uploads.id, uploads.user_id, uploads.created_at + (an_end - at) FROM uploads
      WHERE uploads.organization_id = ANY (homes) AND uploads.user_id = a_user
        AND uploads.status = 'ACTIVE' AND uploads.expires_at > at AND uploads.id <> an_upload;
    GET DIAGNOSTICS claimed = ROW_COUNT;
  END IF;
  INSERT INTO upload_claims (organization_id, upload_id, user_id, expires_at)
    VALUES (an_organization, an_upload, a_user, an_end);
  RETURN NEXT claimed;
END`;

/** Uploads that were started before. Those of the release before aren't counted while it still runs. */
const claimsOfOthers = `
  INSERT INTO upload_claims (organization_id, upload_id, user_id, expires_at)
    SELECT organization_id, id, user_id, expires_at FROM uploads WHERE status = 'ACTIVE'
    ON CONFLICT DO NOTHING`;

/**
 * A table without rows, of the coordinator's own. Citus counts a change of it as one of its tables, and commits in two phases
 * what else its transaction changes on a server: all of it is there with what the coordinator has, or nothing.
 */
export const jointCommits = 'joint_commits';

const commitTogether = `
BEGIN
  DELETE FROM joint_commits;
  RETURN NULL;
END`;

/**
 * The changes of tables of the coordinator that commit with those of the organization. What a consumer of the log does isn't
 * among them: it is repeated.
 */
export const jointChanges = {
  api_keys: 'insert or delete or update of name, expires_at, revoked_at',
  api_key_organizations: 'insert or delete',
  log_positions: 'insert or delete or update of epoch',
};

/** Reads of an organization that its server prepares; more than the frequent ones of all its organizations. */
const maxPrepared = 200;

const readPrepared = `
DECLARE
  -- What is prepared names the tables of one group of shards.
  prepared text := a_name || get_shard_id_for_distribution_column('organization_usage', an_organization);
  run text := format('EXECUTE %I(%s)', prepared, (
    SELECT string_agg(quote_nullable(value), ', ' ORDER BY place) FROM unnest(given) WITH ORDINALITY AS each(value, place)));
  found json;
BEGIN
  EXECUTE run INTO found;
  RETURN found;
EXCEPTION WHEN invalid_sql_statement_name THEN
  IF (SELECT count(*) FROM pg_prepared_statements) >= ${maxPrepared} THEN
    DEALLOCATE ALL;
  END IF;
  -- The query finds the rows of this server under the names that it knows.
  EXECUTE format('PREPARE %I AS WITH %s %s', prepared, (
    SELECT string_agg(format('%1$I AS NOT MATERIALIZED (SELECT * FROM %2$I)', relname,
        relname || '_' || get_shard_id_for_distribution_column(logicalrelid, an_organization)), ', ')
      FROM pg_dist_partition JOIN pg_class ON pg_class.oid = logicalrelid
      WHERE relname IN (SELECT word[1] FROM regexp_matches(a_query, '[a-z_]+', 'g') AS word)), a_query);
  EXECUTE run INTO found;
  RETURN found;
END`;

/**
 * @see docs/decisions/0106-activities-by-organization.md
 * @see docs/decisions/0109-one-commit-of-an-organization.md
 * @see docs/decisions/0112-reads-that-servers-prepare.md
 */
export const distributedFunctions: readonly DistributedFunction[] = [
  { name: 'commit_together', signature: '() RETURNS trigger', body: commitTogether },
  {
    name: 'settled_snapshot',
    signature: '(an_organization uuid) RETURNS pg_snapshot STABLE',
    body: settledSnapshot,
  },
  {
    name: 'organizations_behind',
    signature: '() RETURNS SETOF uuid STABLE',
    body: organizationsBehind,
  },
  {
    name: 'log_lags',
    signature: '() RETURNS TABLE (consumer text, oldest timestamptz) STABLE',
    body: logLags,
  },
  {
    name: 'is_committed',
    signature:
      '(an_organization uuid, claimed idempotency_keys, at timestamptz) RETURNS boolean STABLE',
    body: isCommitted,
  },
  {
    name: 'commit_response',
    signature:
      '(an_organization uuid, settled idempotency_keys, at timestamptz) RETURNS boolean VOLATILE',
    body: commitResponse,
  },
  {
    name: 'enqueue_job',
    signature:
      '(an_organization uuid, a_name text, a_payload json, a_key text, a_start timestamptz, most_attempts integer) RETURNS bigint VOLATILE',
    body: enqueueOutgoing,
  },
  {
    name: readOnItsServer.name,
    // Planned for the values, each call would be planned anew.
    signature: `(${readOnItsServer.parameters}) RETURNS json VOLATILE SET plan_cache_mode = force_generic_plan`,
    body: readPrepared,
    organization: 'an_organization',
  },
  {
    name: 'claim_upload',
    signature:
      '(an_organization uuid, a_user uuid, an_upload uuid, at timestamptz, an_end timestamptz, most integer) RETURNS SETOF integer VOLATILE',
    body: claimUpload,
    preparation: claimsOfOthers,
  },
];
