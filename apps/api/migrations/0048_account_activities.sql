-- What accounts do outside of organizations gets a table of its own, with the partitions of the activities.
CREATE TABLE "account_activities" (
	"id" uuid NOT NULL,
	"action" text NOT NULL,
	"actor_id" uuid,
	"resource_type" text NOT NULL,
	"resource_id" uuid NOT NULL,
	"resource_name" text NOT NULL,
	"changes" jsonb NOT NULL,
	"metadata" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"request_id" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"transaction_id" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	CONSTRAINT "account_activities_id_created_at_pk" PRIMARY KEY("id","created_at"),
	CONSTRAINT "account_activities_action_of_resource_type" CHECK (split_part("account_activities"."action", '.', 1) = "account_activities"."resource_type")
) PARTITION BY RANGE ("created_at");
--> statement-breakpoint
ALTER TABLE "account_activities" ADD CONSTRAINT "account_activities_actor_id_users_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "account_activities_of_actor" ON "account_activities" USING btree ("actor_id","created_at","id");--> statement-breakpoint
CREATE INDEX "account_activities_of_resource" ON "account_activities" USING btree ("resource_id","created_at","id");--> statement-breakpoint
CREATE INDEX "account_activities_of_api_key" ON "account_activities" USING btree (("metadata" ->> 'apiKeyId'),"created_at","id") WHERE "account_activities"."metadata" ->> 'apiKeyId' is not null;--> statement-breakpoint
CREATE INDEX "account_activities_newest" ON "account_activities" USING btree ("created_at" NULLS FIRST,"id" NULLS FIRST);--> statement-breakpoint
CREATE INDEX "account_activities_of_action" ON "account_activities" USING btree ("action","created_at" NULLS FIRST,"id" NULLS FIRST);--> statement-breakpoint
-- The one change that the history admits: what is about a deleted account loses its text, and nothing else. Only one of
-- the tables has an organization.
CREATE OR REPLACE FUNCTION "refuse_change_of_activities"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF NEW.resource_name = ''
      AND (NEW.changes = '[]' OR NEW.changes = OLD.changes)
      AND (NEW.metadata = '{}' OR NEW.metadata = OLD.metadata)
      AND to_jsonb(NEW) - '{resource_name,changes,metadata}'::text[] = to_jsonb(OLD) - '{resource_name,changes,metadata}'::text[]
      AND EXISTS (SELECT FROM erased_subjects
        WHERE id IN (OLD.resource_id, (to_jsonb(OLD) ->> 'organization_id')::uuid))
    THEN
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION 'Activities are append-only: % is refused.', TG_OP USING ERRCODE = 'restrict_violation';
END;
$$;--> statement-breakpoint
DO $$
DECLARE
  part record;
BEGIN
  FOR part IN
    SELECT c.relname, pg_get_expr(c.relpartbound, c.oid) AS bounds
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'activities'::regclass
  LOOP
    EXECUTE format('CREATE TABLE %I PARTITION OF account_activities %s', 'account_' || part.relname, part.bounds);
    PERFORM protect_activities('account_' || part.relname);
  END LOOP;
END;
$$;--> statement-breakpoint
CREATE TRIGGER "activities_are_not_emptied" BEFORE TRUNCATE ON "account_activities" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change_of_activities"();--> statement-breakpoint
ALTER TABLE ONLY "account_activities" ENABLE ALWAYS TRIGGER "activities_are_not_emptied";--> statement-breakpoint
-- Nothing is written to it while rows move. An index finds those without an organization.
LOCK TABLE "activities" IN ACCESS EXCLUSIVE MODE;--> statement-breakpoint
INSERT INTO "account_activities" ("id", "action", "actor_id", "resource_type", "resource_id", "resource_name", "changes", "metadata", "request_id", "created_at", "transaction_id")
  SELECT "id", "action", "actor_id", "resource_type", "resource_id", "resource_name", "changes", "metadata", "request_id", "created_at", "transaction_id"
  FROM "activities" WHERE "organization_id" IS NULL;--> statement-breakpoint
CREATE TRIGGER "activities_stay_as_they_are" BEFORE UPDATE OR DELETE ON "account_activities" FOR EACH ROW EXECUTE FUNCTION "refuse_change_of_activities"();--> statement-breakpoint
ALTER TABLE "account_activities" ENABLE ALWAYS TRIGGER "activities_stay_as_they_are";--> statement-breakpoint
ALTER TABLE "activities" DISABLE TRIGGER "activities_stay_as_they_are";--> statement-breakpoint
DELETE FROM "activities" WHERE "organization_id" IS NULL;--> statement-breakpoint
ALTER TABLE "activities" ENABLE ALWAYS TRIGGER "activities_stay_as_they_are";--> statement-breakpoint
ALTER TABLE "activities" ALTER COLUMN "organization_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "activities" DROP CONSTRAINT "activities_id_created_at_pk";--> statement-breakpoint
ALTER TABLE "activities" ADD CONSTRAINT "activities_organization_id_id_created_at_pk" PRIMARY KEY("organization_id","id","created_at");--> statement-breakpoint
-- While a release is rolled out, processes of the release before still insert what accounts do.
CREATE FUNCTION "record_of_account"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO account_activities (id, action, actor_id, resource_type, resource_id, resource_name, changes, metadata,
      request_id, created_at, transaction_id)
    VALUES (NEW.id, NEW.action, NEW.actor_id, NEW.resource_type, NEW.resource_id, NEW.resource_name, NEW.changes,
      NEW.metadata, NEW.request_id, NEW.created_at, NEW.transaction_id);
  RETURN NULL;
END;
$$;--> statement-breakpoint
CREATE TRIGGER "activities_are_of_organizations" BEFORE INSERT ON "activities" FOR EACH ROW WHEN (NEW.organization_id IS NULL) EXECUTE FUNCTION "record_of_account"();--> statement-breakpoint
-- Makes the partitions of one of the two tables, as the owner of the tables, who calls it.
CREATE FUNCTION "make_partitions_of"("log" text, "up_to" timestamptz) RETURNS integer LANGUAGE plpgsql
  SET timezone = 'UTC' AS $$
DECLARE
  last text := log || '_later';
  month text;
  starts timestamptz;
  ends timestamptz;
  latest timestamptz;
  made integer := 0;
BEGIN
  -- Asked by a distributed database, whose triggers each write only what belongs to the row that they see.
  PERFORM set_config('citus.enable_unsafe_triggers', 'on', true);
  LOOP
    SELECT substring(pg_get_expr(c.relpartbound, c.oid) FROM 'FROM \(''([^'']+)''\)')::timestamptz INTO starts
      FROM pg_class c WHERE c.oid = last::regclass;
    EXIT WHEN starts >= up_to;
    -- All that the next lines take, so that none of them waits with the others in hand.
    EXECUTE format('LOCK TABLE users, %I IN ACCESS EXCLUSIVE MODE', log);
    EXECUTE format('SELECT max(created_at) FROM %I', last) INTO latest;
    ends := date_trunc('month', coalesce(latest, starts)) + interval '1 month';
    month := log || to_char(starts, '"_"YYYY_MM');
    EXECUTE format('ALTER TABLE %I DETACH PARTITION %I', log, last);
    IF latest IS NULL THEN
      EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)', month, log, starts, ends);
      EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (MAXVALUE)', log, last, ends);
    ELSE
      EXECUTE format('ALTER TABLE %I RENAME TO %I', last, month);
      EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', log, month, starts, ends);
      EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (MAXVALUE)', last, log, ends);
    END IF;
    -- Triggers of statements are not handed down.
    PERFORM protect_activities(last), protect_activities(month);
    made := made + 1;
  END LOOP;
  RETURN made;
END;
$$;--> statement-breakpoint
-- Makes partitions as the owner of the tables, whoever calls it: the service may not make tables. Made ahead at most five
-- years, so that nobody who calls it can fill the catalog.
CREATE OR REPLACE FUNCTION "make_activity_partitions"("up_to" timestamptz) RETURNS integer LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = public, pg_temp SET timezone = 'UTC' AS $$
BEGIN
  IF up_to > now() + interval '5 years' THEN
    RAISE EXCEPTION 'partitions are made at most five years ahead' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  RETURN make_partitions_of('activities', up_to) + make_partitions_of('account_activities', up_to);
END;
$$;--> statement-breakpoint
-- Drops the partitions whose last row is older than a moment.
CREATE OR REPLACE FUNCTION "drop_activities_before"("moment" timestamptz) RETURNS integer LANGUAGE plpgsql SET timezone = 'UTC' AS $$
DECLARE
  part record;
  dropped integer := 0;
BEGIN
  FOR part IN
    SELECT c.relname AS name, i.inhparent::regclass AS log
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent IN ('activities'::regclass, 'account_activities'::regclass)
      AND substring(pg_get_expr(c.relpartbound, c.oid) FROM 'TO \(''([^'']+)''\)')::timestamptz <= moment
  LOOP
    EXECUTE format('LOCK TABLE users, %s IN ACCESS EXCLUSIVE MODE', part.log);
    EXECUTE format('DROP TABLE %I', part.name);
    dropped := dropped + 1;
  END LOOP;
  RETURN dropped;
END;
$$;--> statement-breakpoint
REVOKE ALL ON FUNCTION "make_partitions_of"(text, timestamptz), "record_of_account"() FROM PUBLIC;--> statement-breakpoint
-- Erases the text of activities about a subject, or in an organization that is one, as the owner of the table: the service
-- may not update it. Members and invitations keep what has ids and roles only, which the checks of the history need.
CREATE OR REPLACE FUNCTION "erase_activities"("subject" uuid, "at_most" integer) RETURNS integer LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  erased integer;
  erased_of_accounts integer;
BEGIN
  WITH due AS (
    SELECT organization_id, id, created_at FROM activities
    WHERE (resource_id = subject OR organization_id = subject)
      AND (resource_name <> ''
        OR resource_type NOT IN ('member', 'invitation') AND (changes <> '[]' OR metadata <> '{}'))
    LIMIT at_most)
  UPDATE activities SET
    resource_name = '',
    changes = CASE WHEN resource_type IN ('member', 'invitation') THEN changes ELSE '[]' END,
    metadata = CASE WHEN resource_type IN ('member', 'invitation') THEN metadata ELSE '{}' END
  FROM due WHERE activities.organization_id = due.organization_id
    AND activities.id = due.id AND activities.created_at = due.created_at;
  GET DIAGNOSTICS erased = ROW_COUNT;
  WITH due AS (
    SELECT id, created_at FROM account_activities
    WHERE resource_id = subject AND (resource_name <> '' OR changes <> '[]' OR metadata <> '{}')
    LIMIT at_most - erased)
  UPDATE account_activities SET resource_name = '', changes = '[]', metadata = '{}'
  FROM due WHERE account_activities.id = due.id AND account_activities.created_at = due.created_at;
  GET DIAGNOSTICS erased_of_accounts = ROW_COUNT;
  RETURN erased + erased_of_accounts;
END;
$$;--> statement-breakpoint
-- What one server knows by itself. `operator distribute` replaces these functions, for rows that are on several.
-- The transactions whose rows of an organization every later statement sees.
CREATE FUNCTION "settled_snapshot"("an_organization" uuid) RETURNS pg_snapshot LANGUAGE sql STABLE AS $$
  SELECT pg_current_snapshot()
$$;--> statement-breakpoint
-- The organizations with activities that a consumer has not taken.
CREATE FUNCTION "organizations_behind"() RETURNS SETOF uuid LANGUAGE sql STABLE AS $$
  SELECT DISTINCT log_positions.organization_id FROM log_positions
  WHERE EXISTS (SELECT FROM activities
    WHERE activities.organization_id = log_positions.organization_id
      AND (activities.transaction_id, activities.id) > (log_positions.transaction_id, log_positions.activity_id))
$$;--> statement-breakpoint
-- For each consumer the timestamp of the oldest activity that it has not taken; null if there is none.
CREATE FUNCTION "log_lags"() RETURNS TABLE ("consumer" text, "oldest" timestamptz) LANGUAGE sql STABLE AS $$
  SELECT log_positions.consumer, min(oldest.created_at)
  FROM log_positions LEFT JOIN LATERAL (
    SELECT activities.created_at FROM activities
    WHERE activities.organization_id = log_positions.organization_id
      AND (activities.transaction_id, activities.id) > (log_positions.transaction_id, log_positions.activity_id)
    ORDER BY activities.transaction_id, activities.id LIMIT 1) AS oldest ON true
  GROUP BY log_positions.consumer
$$;
