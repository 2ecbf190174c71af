CREATE EXTENSION IF NOT EXISTS "pg_trgm";--> statement-breakpoint
CREATE EXTENSION IF NOT EXISTS "btree_gin";--> statement-breakpoint
DROP INDEX "assets_newest_in_collection";--> statement-breakpoint
DROP INDEX "collections_newest";--> statement-breakpoint
CREATE INDEX "asset_favorites_by_asset" ON "asset_favorites" USING btree ("asset_id");--> statement-breakpoint
CREATE INDEX "assets_newest" ON "assets" USING btree ("organization_id","created_at","id") WHERE "assets"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "assets_by_name" ON "assets" USING btree ("organization_id","name","id") WHERE "assets"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "assets_by_size" ON "assets" USING btree ("organization_id","file_size_bytes","id") WHERE "assets"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "assets_by_update" ON "assets" USING btree ("organization_id","updated_at","id") WHERE "assets"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "assets_newest_of_person" ON "assets" USING btree ("organization_id","created_by","created_at","id") WHERE "assets"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "assets_by_type" ON "assets" USING btree ("organization_id","content_type" text_pattern_ops) WHERE "assets"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "assets_name_trigrams" ON "assets" USING gin ("organization_id","name" gin_trgm_ops) WHERE "assets"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "assets_by_deletion" ON "assets" USING btree ("deleted_at") WHERE "assets"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX "assets_in_bin" ON "assets" USING btree ("organization_id","deleted_at","id") WHERE "assets"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX "assets_of_collection" ON "assets" USING btree ("collection_id","deleted_at");--> statement-breakpoint
CREATE INDEX "assets_published_from" ON "assets" USING btree ("published_from_asset_id") WHERE "assets"."published_from_asset_id" is not null;--> statement-breakpoint
CREATE INDEX "collection_favorites_by_collection" ON "collection_favorites" USING btree ("collection_id");--> statement-breakpoint
CREATE INDEX "collections_in_bin" ON "collections" USING btree ("organization_id","deleted_at","id") WHERE "collections"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX "uploads_by_asset" ON "uploads" USING btree ("asset_id");--> statement-breakpoint
CREATE INDEX "uploads_by_target" ON "uploads" USING btree ("target_asset_id");--> statement-breakpoint
CREATE INDEX "uploads_by_collection" ON "uploads" USING btree ("collection_id");--> statement-breakpoint
CREATE INDEX "assets_newest_in_collection" ON "assets" USING btree ("collection_id","organization_id","created_at","id") WHERE "assets"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "collections_newest" ON "collections" USING btree ("organization_id","created_at","id") WHERE "collections"."deleted_at" is null;