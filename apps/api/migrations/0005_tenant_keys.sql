-- The organization leads the keys of the library and of memberships, and every reference between rows of
-- organizations has it on both sides. While the new indexes are built, writing waits and reading goes on. The
-- locks are taken at once, in the order in which writing takes them, so that neither has what the other waits for.
LOCK TABLE "uploads", "collections", "assets", "asset_versions", "collection_favorites", "asset_favorites", "invitation_tokens", "memberships" IN EXCLUSIVE MODE;--> statement-breakpoint
CREATE UNIQUE INDEX "memberships_organization_id_id_pk" ON "memberships" USING btree ("organization_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "invitation_tokens_organization_id_invitation_id_token_hash_pk" ON "invitation_tokens" USING btree ("organization_id","invitation_id","token_hash");--> statement-breakpoint
CREATE INDEX "invitation_tokens_by_hash" ON "invitation_tokens" USING btree ("token_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "uploads_organization_id_id_pk" ON "uploads" USING btree ("organization_id","id");--> statement-breakpoint
CREATE INDEX "uploads_by_asset_new" ON "uploads" USING btree ("organization_id","asset_id") WHERE "uploads"."asset_id" is not null;--> statement-breakpoint
CREATE INDEX "uploads_by_target_new" ON "uploads" USING btree ("organization_id","target_asset_id") WHERE "uploads"."target_asset_id" is not null;--> statement-breakpoint
CREATE INDEX "uploads_by_collection_new" ON "uploads" USING btree ("organization_id","collection_id");--> statement-breakpoint
CREATE INDEX "uploads_active_by_key" ON "uploads" USING btree ("key") WHERE "uploads"."status" = 'ACTIVE';--> statement-breakpoint
CREATE UNIQUE INDEX "collections_organization_id_id_pk" ON "collections" USING btree ("organization_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "assets_organization_id_id_pk" ON "assets" USING btree ("organization_id","id");--> statement-breakpoint
CREATE INDEX "assets_by_short_code" ON "assets" USING btree ("short_code");--> statement-breakpoint
CREATE INDEX "assets_newest_in_collection_new" ON "assets" USING btree ("organization_id","collection_id","created_at","id") WHERE "assets"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "assets_of_collection_new" ON "assets" USING btree ("organization_id","collection_id","deleted_at");--> statement-breakpoint
CREATE UNIQUE INDEX "asset_versions_organization_id_asset_id_version_number_pk" ON "asset_versions" USING btree ("organization_id","asset_id","version_number");--> statement-breakpoint
-- From here on reading waits too. First the references to the old keys go.
ALTER TABLE "collection_favorites" DROP CONSTRAINT "collection_favorites_collection_id_collections_id_fk", DROP CONSTRAINT "collection_favorites_user_id_collection_id_pk";--> statement-breakpoint
ALTER TABLE "asset_favorites" DROP CONSTRAINT "asset_favorites_asset_id_assets_id_fk", DROP CONSTRAINT "asset_favorites_user_id_asset_id_pk";--> statement-breakpoint
ALTER TABLE "uploads" DROP CONSTRAINT "uploads_collection_of_same_organization", DROP CONSTRAINT "uploads_target_of_same_organization", DROP CONSTRAINT "uploads_asset_of_same_organization";--> statement-breakpoint
ALTER TABLE "asset_versions" DROP CONSTRAINT "asset_versions_of_same_organization";--> statement-breakpoint
ALTER TABLE "assets" DROP CONSTRAINT "assets_collection_of_same_organization", DROP CONSTRAINT "assets_published_from_asset_id_assets_id_fk";--> statement-breakpoint
-- The keys.
ALTER TABLE "memberships" DROP CONSTRAINT "memberships_pkey", ADD CONSTRAINT "memberships_organization_id_id_pk" PRIMARY KEY USING INDEX "memberships_organization_id_id_pk";--> statement-breakpoint
ALTER TABLE "invitation_tokens" DROP CONSTRAINT "invitation_tokens_pkey", ADD CONSTRAINT "invitation_tokens_organization_id_invitation_id_token_hash_pk" PRIMARY KEY USING INDEX "invitation_tokens_organization_id_invitation_id_token_hash_pk";--> statement-breakpoint
ALTER TABLE "uploads" DROP CONSTRAINT "uploads_pkey", DROP CONSTRAINT "uploads_key_unique", ADD CONSTRAINT "uploads_organization_id_id_pk" PRIMARY KEY USING INDEX "uploads_organization_id_id_pk";--> statement-breakpoint
ALTER TABLE "collections" DROP CONSTRAINT "collections_pkey", DROP CONSTRAINT "collections_within_organization", ADD CONSTRAINT "collections_organization_id_id_pk" PRIMARY KEY USING INDEX "collections_organization_id_id_pk";--> statement-breakpoint
ALTER TABLE "assets" DROP CONSTRAINT "assets_pkey", DROP CONSTRAINT "assets_within_organization", DROP CONSTRAINT "assets_shortCode_unique", ADD CONSTRAINT "assets_organization_id_id_pk" PRIMARY KEY USING INDEX "assets_organization_id_id_pk";--> statement-breakpoint
ALTER TABLE "asset_versions" DROP CONSTRAINT "asset_versions_asset_id_version_number_pk", ADD CONSTRAINT "asset_versions_organization_id_asset_id_version_number_pk" PRIMARY KEY USING INDEX "asset_versions_organization_id_asset_id_version_number_pk";--> statement-breakpoint
DROP INDEX "invitation_tokens_by_invitation";--> statement-breakpoint
DROP INDEX "uploads_by_asset";--> statement-breakpoint
DROP INDEX "uploads_by_target";--> statement-breakpoint
DROP INDEX "uploads_by_collection";--> statement-breakpoint
DROP INDEX "assets_newest_in_collection";--> statement-breakpoint
DROP INDEX "assets_of_collection";--> statement-breakpoint
ALTER INDEX "uploads_by_asset_new" RENAME TO "uploads_by_asset";--> statement-breakpoint
ALTER INDEX "uploads_by_target_new" RENAME TO "uploads_by_target";--> statement-breakpoint
ALTER INDEX "uploads_by_collection_new" RENAME TO "uploads_by_collection";--> statement-breakpoint
ALTER INDEX "assets_newest_in_collection_new" RENAME TO "assets_newest_in_collection";--> statement-breakpoint
ALTER INDEX "assets_of_collection_new" RENAME TO "assets_of_collection";--> statement-breakpoint
-- The marks learn their organization.
DROP INDEX "collection_favorites_by_collection";--> statement-breakpoint
DROP INDEX "asset_favorites_by_asset";--> statement-breakpoint
ALTER TABLE "collection_favorites" ADD COLUMN "organization_id" uuid;--> statement-breakpoint
ALTER TABLE "asset_favorites" ADD COLUMN "organization_id" uuid;--> statement-breakpoint
UPDATE "collection_favorites" SET "organization_id" = "collections"."organization_id" FROM "collections" WHERE "collections"."id" = "collection_favorites"."collection_id";--> statement-breakpoint
UPDATE "asset_favorites" SET "organization_id" = "assets"."organization_id" FROM "assets" WHERE "assets"."id" = "asset_favorites"."asset_id";--> statement-breakpoint
ALTER TABLE "collection_favorites" ALTER COLUMN "organization_id" SET NOT NULL, ADD CONSTRAINT "collection_favorites_organization_id_user_id_collection_id_pk" PRIMARY KEY ("organization_id","user_id","collection_id");--> statement-breakpoint
ALTER TABLE "asset_favorites" ALTER COLUMN "organization_id" SET NOT NULL, ADD CONSTRAINT "asset_favorites_organization_id_user_id_asset_id_pk" PRIMARY KEY ("organization_id","user_id","asset_id");--> statement-breakpoint
CREATE INDEX "collection_favorites_by_collection" ON "collection_favorites" USING btree ("organization_id","collection_id");--> statement-breakpoint
CREATE INDEX "asset_favorites_by_asset" ON "asset_favorites" USING btree ("organization_id","asset_id");--> statement-breakpoint
-- The references again, to the keys of now. All of them are looked at once more.
ALTER TABLE "assets" ADD CONSTRAINT "assets_collection_of_same_organization" FOREIGN KEY ("organization_id","collection_id") REFERENCES "public"."collections"("organization_id","id");--> statement-breakpoint
ALTER TABLE "asset_versions" ADD CONSTRAINT "asset_versions_of_same_organization" FOREIGN KEY ("organization_id","asset_id") REFERENCES "public"."assets"("organization_id","id");--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_collection_of_same_organization" FOREIGN KEY ("organization_id","collection_id") REFERENCES "public"."collections"("organization_id","id");--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_target_of_same_organization" FOREIGN KEY ("organization_id","target_asset_id") REFERENCES "public"."assets"("organization_id","id");--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_asset_of_same_organization" FOREIGN KEY ("organization_id","asset_id") REFERENCES "public"."assets"("organization_id","id");--> statement-breakpoint
ALTER TABLE "collection_favorites" ADD CONSTRAINT "collection_favorites_of_same_organization" FOREIGN KEY ("organization_id","collection_id") REFERENCES "public"."collections"("organization_id","id") ON DELETE cascade;--> statement-breakpoint
ALTER TABLE "asset_favorites" ADD CONSTRAINT "asset_favorites_of_same_organization" FOREIGN KEY ("organization_id","asset_id") REFERENCES "public"."assets"("organization_id","id") ON DELETE cascade;--> statement-breakpoint
-- The release before makes marks without saying of which organization, and goes on until it is replaced.
CREATE FUNCTION "fill_organization_of_mark"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'asset_favorites' THEN
    SELECT "organization_id" INTO NEW."organization_id" FROM "assets" WHERE "id" = NEW."asset_id";
  ELSE
    SELECT "organization_id" INTO NEW."organization_id" FROM "collections" WHERE "id" = NEW."collection_id";
  END IF;
  RETURN NEW;
END;
$$;--> statement-breakpoint
CREATE TRIGGER "asset_favorites_say_whose" BEFORE INSERT ON "asset_favorites" FOR EACH ROW WHEN (NEW."organization_id" IS NULL) EXECUTE FUNCTION "fill_organization_of_mark"();--> statement-breakpoint
CREATE TRIGGER "collection_favorites_say_whose" BEFORE INSERT ON "collection_favorites" FOR EACH ROW WHEN (NEW."organization_id" IS NULL) EXECUTE FUNCTION "fill_organization_of_mark"();
