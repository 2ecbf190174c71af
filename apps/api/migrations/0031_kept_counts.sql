-- First of all, because what adds content locks these rows before it writes assets.
ALTER TABLE "organization_usage" ADD COLUMN "asset_count" integer DEFAULT 0;--> statement-breakpoint
ALTER TABLE "organization_usage" ADD COLUMN "collection_count" integer DEFAULT 0;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "task_counts" integer[] DEFAULT '{0,0,0,0,0,0}';--> statement-breakpoint
CREATE INDEX "tasks_due" ON "tasks" USING btree ("organization_id","due_date") WHERE "tasks"."status" not in ('DONE', 'CANCELLED');--> statement-breakpoint
CREATE INDEX "tasks_completed" ON "tasks" USING btree ("organization_id","completed_at") WHERE "tasks"."completed_at" is not null;--> statement-breakpoint
-- Triggers, because the release before goes on writing until it is replaced. Each runs once for a statement, and
-- locks nothing when the statement changes no count.
CREATE FUNCTION "keep_library_counts"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changes refcursor;
  changed record;
BEGIN
  CASE TG_OP
    WHEN 'INSERT' THEN
      OPEN changes FOR
        SELECT organization_id, count(*)::integer AS difference FROM added
        WHERE deleted_at IS NULL GROUP BY organization_id ORDER BY organization_id;
    WHEN 'DELETE' THEN
      OPEN changes FOR
        SELECT organization_id, -count(*)::integer AS difference FROM removed
        WHERE deleted_at IS NULL GROUP BY organization_id ORDER BY organization_id;
    ELSE
      OPEN changes FOR
        SELECT organization_id, sum(one)::integer AS difference FROM (
          SELECT organization_id, 1 AS one FROM added WHERE deleted_at IS NULL
          UNION ALL
          SELECT organization_id, -1 FROM removed WHERE deleted_at IS NULL) AS rows
        GROUP BY organization_id HAVING sum(one) <> 0 ORDER BY organization_id;
  END CASE;
  LOOP
    FETCH changes INTO changed;
    EXIT WHEN NOT FOUND;
    -- Most have a row, and a refused insert costs more than finding it.
    IF changed.difference > 0 AND NOT EXISTS (
      SELECT FROM organization_usage WHERE organization_id = changed.organization_id) THEN
      INSERT INTO organization_usage (organization_id) VALUES (changed.organization_id) ON CONFLICT DO NOTHING;
    END IF;
    IF TG_TABLE_NAME = 'assets' THEN
      UPDATE organization_usage SET asset_count = asset_count + changed.difference
      WHERE organization_id = changed.organization_id;
    ELSE
      UPDATE organization_usage SET collection_count = collection_count + changed.difference
      WHERE organization_id = changed.organization_id;
    END IF;
  END LOOP;
  RETURN NULL;
END;
$$;--> statement-breakpoint
CREATE TRIGGER "assets_added" AFTER INSERT ON "assets" REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "keep_library_counts"();--> statement-breakpoint
CREATE TRIGGER "assets_changed" AFTER UPDATE ON "assets" REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "keep_library_counts"();--> statement-breakpoint
CREATE TRIGGER "assets_removed" AFTER DELETE ON "assets" REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION "keep_library_counts"();--> statement-breakpoint
CREATE TRIGGER "collections_added" AFTER INSERT ON "collections" REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "keep_library_counts"();--> statement-breakpoint
CREATE TRIGGER "collections_changed" AFTER UPDATE ON "collections" REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "keep_library_counts"();--> statement-breakpoint
CREATE TRIGGER "collections_removed" AFTER DELETE ON "collections" REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION "keep_library_counts"();--> statement-breakpoint
CREATE FUNCTION "keep_task_counts"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changes refcursor;
  changed record;
  place integer;
BEGIN
  CASE TG_OP
    WHEN 'INSERT' THEN
      OPEN changes FOR
        SELECT organization_id, project_id, status, count(*)::integer AS difference FROM added
        GROUP BY organization_id, project_id, status ORDER BY organization_id, project_id;
    WHEN 'DELETE' THEN
      OPEN changes FOR
        SELECT organization_id, project_id, status, -count(*)::integer AS difference FROM removed
        GROUP BY organization_id, project_id, status ORDER BY organization_id, project_id;
    ELSE
      OPEN changes FOR
        SELECT organization_id, project_id, status, sum(one)::integer AS difference FROM (
          SELECT organization_id, project_id, status, 1 AS one FROM added
          UNION ALL
          SELECT organization_id, project_id, status, -1 FROM removed) AS rows
        GROUP BY organization_id, project_id, status HAVING sum(one) <> 0 ORDER BY organization_id, project_id;
  END CASE;
  LOOP
    FETCH changes INTO changed;
    EXIT WHEN NOT FOUND;
    place = array_position(ARRAY['BACKLOG', 'TODO', 'IN_PROGRESS', 'IN_REVIEW', 'DONE', 'CANCELLED'], changed.status);
    UPDATE projects
    SET task_counts[place] = task_counts[place] + changed.difference
    WHERE organization_id = changed.organization_id AND id = changed.project_id;
  END LOOP;
  RETURN NULL;
END;
$$;--> statement-breakpoint
CREATE TRIGGER "tasks_added" AFTER INSERT ON "tasks" REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "keep_task_counts"();--> statement-breakpoint
CREATE TRIGGER "tasks_changed" AFTER UPDATE ON "tasks" REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "keep_task_counts"();--> statement-breakpoint
CREATE TRIGGER "tasks_removed" AFTER DELETE ON "tasks" REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION "keep_task_counts"();--> statement-breakpoint
-- The triggers have locked the tables against other writers.
INSERT INTO "organization_usage" ("organization_id", "asset_count", "collection_count")
	SELECT "id", coalesce("assets"."count", 0), coalesce("collections"."count", 0)
	FROM "organizations"
	LEFT JOIN (SELECT "organization_id", count(*)::integer AS "count" FROM "assets" WHERE "deleted_at" IS NULL GROUP BY 1) AS "assets" ON "assets"."organization_id" = "organizations"."id"
	LEFT JOIN (SELECT "organization_id", count(*)::integer AS "count" FROM "collections" WHERE "deleted_at" IS NULL GROUP BY 1) AS "collections" ON "collections"."organization_id" = "organizations"."id"
	WHERE "assets"."count" > 0 OR "collections"."count" > 0
	ON CONFLICT ("organization_id") DO UPDATE SET "asset_count" = excluded."asset_count", "collection_count" = excluded."collection_count";--> statement-breakpoint
UPDATE "projects" SET "task_counts" = "counted"."counts"
	FROM (
		SELECT "organization_id", "project_id", ARRAY[
			count(*) FILTER (WHERE "status" = 'BACKLOG'), count(*) FILTER (WHERE "status" = 'TODO'),
			count(*) FILTER (WHERE "status" = 'IN_PROGRESS'), count(*) FILTER (WHERE "status" = 'IN_REVIEW'),
			count(*) FILTER (WHERE "status" = 'DONE'), count(*) FILTER (WHERE "status" = 'CANCELLED')]::integer[] AS "counts"
		FROM "tasks" GROUP BY 1, 2) AS "counted"
	WHERE "projects"."organization_id" = "counted"."organization_id" AND "projects"."id" = "counted"."project_id";
