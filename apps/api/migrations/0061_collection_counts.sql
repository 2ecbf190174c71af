CREATE TABLE "collection_usage" (
	"organization_id" uuid NOT NULL,
	"collection_id" uuid NOT NULL,
	"asset_count" integer NOT NULL,
	CONSTRAINT "collection_usage_organization_id_collection_id_pk" PRIMARY KEY("organization_id","collection_id")
);
--> statement-breakpoint
ALTER TABLE "collection_usage" ADD CONSTRAINT "collection_usage_of_same_organization" FOREIGN KEY ("organization_id","collection_id") REFERENCES "public"."collections"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- Each runs once for a statement, after the trigger of the organization's counts: of a statement that changes both, the
-- row of the organization is locked first.
CREATE FUNCTION "keep_collection_counts"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changes refcursor;
  changed record;
BEGIN
  CASE TG_OP
    WHEN 'INSERT' THEN
      OPEN changes FOR
        SELECT organization_id, collection_id, count(*)::integer AS difference FROM added
        WHERE deleted_at IS NULL GROUP BY organization_id, collection_id ORDER BY organization_id, collection_id;
    WHEN 'DELETE' THEN
      OPEN changes FOR
        SELECT organization_id, collection_id, -count(*)::integer AS difference FROM removed
        WHERE deleted_at IS NULL GROUP BY organization_id, collection_id ORDER BY organization_id, collection_id;
    ELSE
      OPEN changes FOR
        SELECT organization_id, collection_id, sum(one)::integer AS difference FROM (
          SELECT organization_id, collection_id, 1 AS one FROM added WHERE deleted_at IS NULL
          UNION ALL
          SELECT organization_id, collection_id, -1 FROM removed WHERE deleted_at IS NULL) AS rows
        GROUP BY organization_id, collection_id HAVING sum(one) <> 0 ORDER BY organization_id, collection_id;
  END CASE;
  LOOP
    FETCH changes INTO changed;
    EXIT WHEN NOT FOUND;
    UPDATE collection_usage SET asset_count = asset_count + changed.difference
    WHERE organization_id = changed.organization_id AND collection_id = changed.collection_id;
    -- Without a row there is none to take away: the collection is deleted in the same statement.
    IF NOT FOUND AND changed.difference > 0 THEN
      INSERT INTO collection_usage (organization_id, collection_id, asset_count)
      VALUES (changed.organization_id, changed.collection_id, changed.difference)
      ON CONFLICT (organization_id, collection_id)
      DO UPDATE SET asset_count = collection_usage.asset_count + excluded.asset_count;
    END IF;
  END LOOP;
  RETURN NULL;
END;
$$;--> statement-breakpoint
CREATE TRIGGER "assets_added_to_collections" AFTER INSERT ON "assets" REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "keep_collection_counts"();--> statement-breakpoint
CREATE TRIGGER "assets_changed_in_collections" AFTER UPDATE ON "assets" REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "keep_collection_counts"();--> statement-breakpoint
CREATE TRIGGER "assets_removed_from_collections" AFTER DELETE ON "assets" REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION "keep_collection_counts"();--> statement-breakpoint
-- The triggers have locked the table against other writers.
INSERT INTO "collection_usage" ("organization_id", "collection_id", "asset_count")
	SELECT "organization_id", "collection_id", count(*)::integer FROM "assets" WHERE "deleted_at" IS NULL GROUP BY 1, 2;
