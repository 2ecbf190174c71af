-- Activities become partitions by month. What is there stays where it is, as the first of them: only its
-- primary key is built anew, and its rows are read once.
ALTER TABLE "activities" RENAME TO "activities_before";--> statement-breakpoint
DROP TRIGGER "activities_stay_as_they_are" ON "activities_before";--> statement-breakpoint
ALTER TABLE "activities_before" DROP CONSTRAINT "activities_pkey";--> statement-breakpoint
ALTER TABLE "activities_before" ADD CONSTRAINT "activities_before_pkey" PRIMARY KEY ("id","created_at");--> statement-breakpoint
ALTER TABLE "activities_before" RENAME CONSTRAINT "activities_actor_id_users_id_fk" TO "activities_before_actor_id_fk";--> statement-breakpoint
ALTER TABLE "activities_before" RENAME CONSTRAINT "activities_organization_id_organizations_id_fk" TO "activities_before_organization_id_fk";--> statement-breakpoint
ALTER INDEX "activities_by_transaction" RENAME TO "activities_before_by_transaction";--> statement-breakpoint
ALTER INDEX "activities_of_organization" RENAME TO "activities_before_of_organization";--> statement-breakpoint
ALTER INDEX "activities_of_action_in_organization" RENAME TO "activities_before_of_action_in_organization";--> statement-breakpoint
ALTER INDEX "activities_of_actor" RENAME TO "activities_before_of_actor";--> statement-breakpoint
ALTER INDEX "activities_of_resource" RENAME TO "activities_before_of_resource";--> statement-breakpoint
ALTER INDEX "activities_newest" RENAME TO "activities_before_newest";--> statement-breakpoint
ALTER INDEX "activities_of_action" RENAME TO "activities_before_of_action";--> statement-breakpoint
CREATE TABLE "activities" (LIKE "activities_before" INCLUDING DEFAULTS INCLUDING CONSTRAINTS) PARTITION BY RANGE ("created_at");--> statement-breakpoint
ALTER TABLE "activities" ADD CONSTRAINT "activities_id_created_at_pk" PRIMARY KEY ("id","created_at");--> statement-breakpoint
ALTER TABLE "activities" ADD CONSTRAINT "activities_actor_id_users_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."users"("id");--> statement-breakpoint
ALTER TABLE "activities" ADD CONSTRAINT "activities_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id");--> statement-breakpoint
CREATE INDEX "activities_by_transaction" ON "activities" USING btree ("organization_id","transaction_id");--> statement-breakpoint
CREATE INDEX "activities_of_organization" ON "activities" USING btree ("organization_id","created_at","id");--> statement-breakpoint
CREATE INDEX "activities_of_action_in_organization" ON "activities" USING btree ("organization_id","action","created_at","id");--> statement-breakpoint
CREATE INDEX "activities_of_actor" ON "activities" USING btree ("actor_id","created_at","id");--> statement-breakpoint
CREATE INDEX "activities_of_resource" ON "activities" USING btree ("resource_id","created_at","id");--> statement-breakpoint
CREATE INDEX "activities_newest" ON "activities" USING btree ("created_at" NULLS FIRST,"id" NULLS FIRST);--> statement-breakpoint
CREATE INDEX "activities_of_action" ON "activities" USING btree ("action","created_at" NULLS FIRST,"id" NULLS FIRST);--> statement-breakpoint
DO $$
DECLARE
  latest timestamptz := greatest(now(), (SELECT max("created_at") FROM "activities_before"));
  ends timestamptz;
BEGIN
  SET LOCAL timezone = 'UTC';
  ends := date_trunc('month', latest) + interval '1 month';
  EXECUTE format('ALTER TABLE activities ATTACH PARTITION activities_before FOR VALUES FROM (MINVALUE) TO (%L)', ends);
  EXECUTE format('CREATE TABLE activities_later PARTITION OF activities FOR VALUES FROM (%L) TO (MAXVALUE)', ends);
END;
$$;--> statement-breakpoint
CREATE TRIGGER "activities_stay_as_they_are" BEFORE UPDATE OR DELETE ON "activities" FOR EACH ROW EXECUTE FUNCTION "refuse_change_of_activities"();--> statement-breakpoint
ALTER TABLE "activities" ENABLE ALWAYS TRIGGER "activities_stay_as_they_are";--> statement-breakpoint
CREATE TRIGGER "activities_are_not_emptied" BEFORE TRUNCATE ON "activities" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change_of_activities"();--> statement-breakpoint
ALTER TABLE ONLY "activities" ENABLE ALWAYS TRIGGER "activities_are_not_emptied";--> statement-breakpoint
CREATE TRIGGER "activities_are_not_emptied" BEFORE TRUNCATE ON "activities_later" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change_of_activities"();--> statement-breakpoint
ALTER TABLE "activities_later" ENABLE ALWAYS TRIGGER "activities_are_not_emptied";--> statement-breakpoint
-- Makes partitions of whole months (UTC) up to a moment, out of the last one that takes all that is later.
-- Where that has rows already, it becomes the partition of their months: rows never move.
CREATE FUNCTION "make_activity_partitions"("up_to" timestamptz) RETURNS integer LANGUAGE plpgsql SET timezone = 'UTC' AS $$
DECLARE
  starts timestamptz;
  ends timestamptz;
  latest timestamptz;
  made integer := 0;
BEGIN
  LOOP
    SELECT substring(pg_get_expr(c.relpartbound, c.oid) FROM 'FROM \(''([^'']+)''\)')::timestamptz INTO starts
      FROM pg_class c WHERE c.oid = 'activities_later'::regclass;
    EXIT WHEN starts >= up_to;
    -- All that the next lines take, so that none of them waits with the others in hand.
    LOCK TABLE users, organizations, activities IN ACCESS EXCLUSIVE MODE;
    SELECT max(created_at) INTO latest FROM activities_later;
    ends := date_trunc('month', coalesce(latest, starts)) + interval '1 month';
    ALTER TABLE activities DETACH PARTITION activities_later;
    IF latest IS NULL THEN
      EXECUTE format('CREATE TABLE %I PARTITION OF activities FOR VALUES FROM (%L) TO (%L)',
        to_char(starts, '"activities_"YYYY_MM'), starts, ends);
      EXECUTE format('ALTER TABLE activities ATTACH PARTITION activities_later FOR VALUES FROM (%L) TO (MAXVALUE)', ends);
    ELSE
      EXECUTE format('ALTER TABLE activities_later RENAME TO %I', to_char(starts, '"activities_"YYYY_MM'));
      EXECUTE format('ALTER TABLE activities ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
        to_char(starts, '"activities_"YYYY_MM'), starts, ends);
      EXECUTE format('CREATE TABLE activities_later PARTITION OF activities FOR VALUES FROM (%L) TO (MAXVALUE)', ends);
    END IF;
    -- Triggers of statements are not handed down.
    PERFORM protect_activities('activities_later'), protect_activities(to_char(starts, '"activities_"YYYY_MM'));
    made := made + 1;
  END LOOP;
  RETURN made;
END;
$$;--> statement-breakpoint
CREATE FUNCTION "protect_activities"("partition" text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE OR REPLACE TRIGGER activities_are_not_emptied BEFORE TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_activities()', partition);
  EXECUTE format('ALTER TABLE %I ENABLE ALWAYS TRIGGER activities_are_not_emptied', partition);
END;
$$;--> statement-breakpoint
-- Drops the partitions whose last row is older than a moment.
CREATE FUNCTION "drop_activities_before"("moment" timestamptz) RETURNS integer LANGUAGE plpgsql SET timezone = 'UTC' AS $$
DECLARE
  name text;
  dropped integer := 0;
BEGIN
  FOR name IN
    SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'activities'::regclass
      AND substring(pg_get_expr(c.relpartbound, c.oid) FROM 'TO \(''([^'']+)''\)')::timestamptz <= moment
  LOOP
    LOCK TABLE users, organizations, activities IN ACCESS EXCLUSIVE MODE;
    EXECUTE format('DROP TABLE %I', name);
    dropped := dropped + 1;
  END LOOP;
  RETURN dropped;
END;
$$;--> statement-breakpoint
SELECT make_activity_partitions(now() + interval '3 months');
