-- Makes partitions as the owner of the tables, whoever calls it: the service may not make tables. Made ahead at most five
-- years, so that nobody who calls it can fill the catalog.
CREATE OR REPLACE FUNCTION "make_activity_partitions"("up_to" timestamptz) RETURNS integer LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = public, pg_temp SET timezone = 'UTC' AS $$
DECLARE
  starts timestamptz;
  ends timestamptz;
  latest timestamptz;
  made integer := 0;
BEGIN
  IF up_to > now() + interval '5 years' THEN
    RAISE EXCEPTION 'partitions are made at most five years ahead' USING ERRCODE = 'invalid_parameter_value';
  END IF;
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
-- By default every role may call a function.
REVOKE ALL ON FUNCTION "make_activity_partitions"(timestamptz), "drop_activities_before"(timestamptz), "protect_activities"(text) FROM PUBLIC;
