-- Each organization has a row of its own for each object of its versions, also for one that was published to it. The table
-- is made anew, because a distributed database makes no table of organizations out of one that every server has. Reading
-- waits, too. See docs/decisions/0108-objects-by-organization.md.
LOCK TABLE "stored_objects", "asset_versions", "share_pictures" IN ACCESS EXCLUSIVE MODE;--> statement-breakpoint
ALTER TABLE "asset_versions" DROP CONSTRAINT "asset_versions_stored_object_id_stored_objects_id_fk";--> statement-breakpoint
ALTER TABLE "share_pictures" DROP CONSTRAINT "share_pictures_stored_object_id_stored_objects_id_fk";--> statement-breakpoint
ALTER TABLE "stored_objects" RENAME TO "objects_before";--> statement-breakpoint
CREATE TABLE "stored_objects" (
	"id" uuid NOT NULL,
	"organization_id" uuid NOT NULL,
	"key" text collate "C" NOT NULL,
	"size_bytes" bigint NOT NULL,
	"e_tag" text NOT NULL,
	"checksum" text,
	"detected_type" text,
	"width_pixels" integer,
	"height_pixels" integer,
	"thumbnail_key" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "stored_objects_organization_id_id_pk" PRIMARY KEY("organization_id","id")
);
--> statement-breakpoint
-- The organization that had an object first keeps its id, and the others get new ones: the release before joins by them.
CREATE TEMPORARY TABLE "placed_objects" ON COMMIT DROP AS
  SELECT organization_id, stored_object_id,
    CASE row_number() OVER (PARTITION BY stored_object_id ORDER BY since, organization_id)
      WHEN 1 THEN stored_object_id ELSE uuidv7() END AS id
  FROM (
    SELECT organization_id, stored_object_id, min(created_at) AS since FROM asset_versions
    GROUP BY organization_id, stored_object_id) AS had;--> statement-breakpoint
INSERT INTO "stored_objects" ("id", "organization_id", "key", "size_bytes", "e_tag", "checksum", "detected_type", "width_pixels", "height_pixels", "thumbnail_key", "created_at")
  SELECT placed_objects.id, organization_id, key, size_bytes, e_tag, checksum, detected_type, width_pixels, height_pixels, thumbnail_key, created_at
  FROM placed_objects JOIN objects_before ON objects_before.id = placed_objects.stored_object_id;--> statement-breakpoint
DROP INDEX "asset_versions_by_object";--> statement-breakpoint
DROP INDEX "share_pictures_by_object";--> statement-breakpoint
CREATE INDEX "asset_versions_of_object" ON "asset_versions" USING btree ("organization_id","stored_object_id");--> statement-breakpoint
DO $$
DECLARE
  moved record;
BEGIN
  FOR moved IN SELECT * FROM placed_objects WHERE id <> stored_object_id LOOP
    UPDATE asset_versions SET stored_object_id = moved.id
      WHERE organization_id = moved.organization_id AND stored_object_id = moved.stored_object_id;
    UPDATE share_pictures SET stored_object_id = moved.id
      WHERE organization_id = moved.organization_id AND stored_object_id = moved.stored_object_id;
  END LOOP;
END $$;--> statement-breakpoint
-- Of versions that are purged, while another organization still had the object.
DELETE FROM "share_pictures" WHERE NOT EXISTS (
  SELECT FROM stored_objects
  WHERE stored_objects.organization_id = share_pictures.organization_id AND stored_objects.id = share_pictures.stored_object_id);--> statement-breakpoint
-- The service goes on meanwhile, before its rights are granted anew.
DO $$
DECLARE
  held record;
BEGIN
  FOR held IN
    SELECT grantee, privilege_type FROM information_schema.role_table_grants
    WHERE table_schema = 'public' AND table_name = 'objects_before' AND grantee NOT IN (current_user, 'PUBLIC')
  LOOP
    EXECUTE format('GRANT %s ON stored_objects TO %I', held.privilege_type, held.grantee);
  END LOOP;
END $$;--> statement-breakpoint
DROP TABLE "objects_before";--> statement-breakpoint
CREATE UNIQUE INDEX "stored_objects_by_key" ON "stored_objects" USING btree ("key","organization_id");--> statement-breakpoint
CREATE INDEX "stored_objects_by_id" ON "stored_objects" USING btree ("id");--> statement-breakpoint
CREATE INDEX "stored_objects_by_thumbnail" ON "stored_objects" USING btree ("thumbnail_key") WHERE "stored_objects"."thumbnail_key" is not null;--> statement-breakpoint
ALTER TABLE "asset_versions" ADD CONSTRAINT "asset_versions_content_of_same_organization" FOREIGN KEY ("organization_id","stored_object_id") REFERENCES "public"."stored_objects"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "share_pictures" ADD CONSTRAINT "share_pictures_of_same_organization" FOREIGN KEY ("organization_id","stored_object_id") REFERENCES "public"."stored_objects"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ANALYZE "stored_objects";--> statement-breakpoint
-- While a release is rolled out, processes of the release before publish without a row for the team. One server sees both
-- organizations; of several, that release is stopped first.
CREATE FUNCTION "take_object_of_source"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  source record;
  own uuid;
BEGIN
  -- Of several servers, the table is a shard, with a number behind its name.
  IF TG_TABLE_NAME <> 'asset_versions' THEN
    RETURN NEW;
  END IF;
  IF EXISTS (SELECT FROM stored_objects
    WHERE stored_objects.organization_id = NEW.organization_id AND stored_objects.id = NEW.stored_object_id) THEN
    RETURN NEW;
  END IF;
  SELECT stored_objects.* INTO source FROM stored_objects WHERE stored_objects.id = NEW.stored_object_id;
  IF NOT FOUND THEN
    RETURN NEW;
  END IF;
  SELECT stored_objects.id INTO own FROM stored_objects
    WHERE stored_objects.organization_id = NEW.organization_id AND stored_objects.key = source.key;
  IF FOUND THEN
    -- That release has counted it again.
    UPDATE organization_usage SET storage_bytes = organization_usage.storage_bytes - source.size_bytes
      WHERE organization_usage.organization_id = NEW.organization_id;
  ELSE
    own = uuidv7();
    INSERT INTO stored_objects (id, organization_id, key, size_bytes, e_tag, checksum, detected_type, width_pixels,
        height_pixels, thumbnail_key, created_at)
      VALUES (own, NEW.organization_id, source.key, source.size_bytes, source.e_tag, source.checksum,
        source.detected_type, source.width_pixels, source.height_pixels, source.thumbnail_key, source.created_at);
    IF source.checksum IS NULL THEN
      PERFORM graphile_worker.add_job('inspect_content',
        payload := json_build_object('organizationId', NEW.organization_id, 'storedObjectId', own), max_attempts := 20);
    END IF;
  END IF;
  NEW.stored_object_id = own;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER "asset_versions_take_objects" BEFORE INSERT ON "asset_versions" FOR EACH ROW EXECUTE FUNCTION "take_object_of_source"();--> statement-breakpoint
-- That release deletes an object from the storage whose row it has deleted. It isn't told of one that others have.
CREATE FUNCTION "keep_object_of_others"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME <> 'stored_objects' OR pg_trigger_depth() > 1 THEN
    RETURN OLD;
  END IF;
  IF EXISTS (SELECT FROM stored_objects
    WHERE stored_objects.key = OLD.key AND stored_objects.organization_id <> OLD.organization_id) THEN
    DELETE FROM stored_objects
      WHERE stored_objects.organization_id = OLD.organization_id AND stored_objects.id = OLD.id;
    RETURN NULL;
  END IF;
  RETURN OLD;
END $$;--> statement-breakpoint
CREATE TRIGGER "stored_objects_of_others" BEFORE DELETE ON "stored_objects" FOR EACH ROW EXECUTE FUNCTION "keep_object_of_others"();--> statement-breakpoint
CREATE OR REPLACE FUNCTION "save_upload"(
  a_credential uuid, a_user uuid, an_organization uuid, at timestamptz, allowed_roles text[],
  roles_for_all text[], roles_for_own text[], an_upload uuid,
  size_bytes bigint, an_e_tag text, a_folded_name text, an_asset uuid, a_short_code text, an_object uuid,
  an_activity uuid, an_api_key uuid, a_request text,
  OUT saved assets, OUT is_favorite boolean
) RETURNS SETOF record LANGUAGE plpgsql VOLATILE ROWS 1 AS $$
DECLARE
  proven_role text;
  uploader_role text;
  upload uploads;
  plan record;
  versions integer = 0;
  author uuid;
BEGIN
  IF a_credential IS NOT NULL THEN
    proven_role = prove_membership(a_credential, a_user, an_organization, at);
    IF (proven_role = ANY (allowed_roles)) IS NOT TRUE THEN
      RETURN;
    END IF;
  END IF;
  SELECT uploads.* INTO upload FROM uploads
    WHERE uploads.organization_id = an_organization AND uploads.id = an_upload AND uploads.status = 'ACTIVE'
    FOR UPDATE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  SELECT memberships.role INTO uploader_role FROM memberships
    WHERE memberships.organization_id = an_organization AND memberships.user_id = upload.user_id
      AND memberships.status = 'ACTIVE';
  IF NOT FOUND THEN
    RETURN;
  END IF;
  uploader_role = coalesce(proven_role, uploader_role);
  PERFORM FROM collections
    WHERE collections.organization_id = an_organization AND collections.id = upload.collection_id
      AND collections.deleted_at IS NULL
    FOR SHARE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  author = upload.user_id;
  IF upload.target_asset_id IS NOT NULL THEN
    SELECT assets.current_version, assets.created_by INTO versions, author FROM assets
      WHERE assets.organization_id = an_organization AND assets.id = upload.target_asset_id
        AND assets.deleted_at IS NULL
      FOR NO KEY UPDATE;
    IF NOT FOUND THEN
      RETURN;
    END IF;
  END IF;
  IF (uploader_role = ANY (roles_for_all) OR uploader_role = ANY (roles_for_own) AND author = upload.user_id) IS NOT TRUE
  THEN
    RETURN;
  END IF;
  SELECT plans.max_storage_bytes, plans.max_versions_per_asset,
      coalesce(organizations.public_links, CASE organizations.type WHEN 'PERSONAL' THEN 'ON_FOR_NEW' ELSE 'OFF_FOR_NEW' END)
        = 'ON_FOR_NEW' AS starts_public
    INTO plan
    FROM organizations JOIN plans ON plans.code = organizations.plan_code
    WHERE organizations.id = an_organization;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  -- The versions of an asset are numbered without gaps: its current one is their count.
  IF versions >= plan.max_versions_per_asset THEN
    RETURN;
  END IF;
  UPDATE organization_usage SET storage_bytes = organization_usage.storage_bytes + size_bytes
    WHERE organization_usage.organization_id = an_organization
      AND (plan.max_storage_bytes IS NULL OR organization_usage.storage_bytes + size_bytes <= plan.max_storage_bytes);
  IF NOT FOUND THEN
    RETURN;
  END IF;
  INSERT INTO stored_objects (organization_id, id, key, size_bytes, e_tag, created_at)
    VALUES (an_organization, an_object, upload.key, size_bytes, an_e_tag, at);
  IF upload.target_asset_id IS NULL THEN
    INSERT INTO assets (id, organization_id, collection_id, name, name_folded, content_type, file_size_bytes,
        current_version, short_code, public_link_enabled, created_by, created_at, updated_at)
      VALUES (an_asset, an_organization, upload.collection_id, upload.file_name, a_folded_name, upload.content_type,
        size_bytes, 1, a_short_code, plan.starts_public, upload.user_id, at, at)
      RETURNING assets.* INTO saved;
  ELSE
    UPDATE assets
      SET content_type = upload.content_type, file_size_bytes = size_bytes, current_version = versions + 1, updated_at = at
      WHERE assets.organization_id = an_organization AND assets.id = upload.target_asset_id
      RETURNING assets.* INTO saved;
  END IF;
  INSERT INTO asset_versions (organization_id, asset_id, version_number, stored_object_id, content_type, created_by,
      created_at)
    VALUES (an_organization, saved.id, saved.current_version, an_object, upload.content_type, upload.user_id, at);
  UPDATE uploads SET status = 'COMPLETED', asset_id = saved.id
    WHERE uploads.organization_id = an_organization AND uploads.id = an_upload;
  INSERT INTO activities (id, action, actor_id, organization_id, resource_type, resource_id, resource_name, changes,
      metadata, request_id, created_at)
    -- Only the uploader can request the completion, even if the service finishes it.
    VALUES (an_activity, CASE WHEN upload.target_asset_id IS NULL THEN 'asset.create' ELSE 'asset.add_version' END,
      upload.user_id, an_organization, 'asset', saved.id, upload.file_name, '[]',
      jsonb_strip_nulls(jsonb_build_object('uploadId', upload.id, 'versionNumber', saved.current_version,
        'apiKeyId', an_api_key)),
      a_request, at);
  is_favorite = upload.target_asset_id IS NOT NULL AND EXISTS (
    SELECT FROM asset_favorites
    WHERE asset_favorites.organization_id = an_organization AND asset_favorites.asset_id = saved.id
      AND asset_favorites.user_id = upload.user_id);
  RETURN NEXT;
END $$;
