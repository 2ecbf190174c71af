ALTER TABLE "assets" ADD COLUMN "description" text;--> statement-breakpoint
ALTER TABLE "assets" ADD COLUMN "tags" text[];--> statement-breakpoint
ALTER TABLE "assets" ADD COLUMN "tag_keys" text[];--> statement-breakpoint
ALTER TABLE "assets" ADD COLUMN "details_folded" text;--> statement-breakpoint
CREATE INDEX "assets_by_tag" ON "assets" USING gin ("organization_id","tag_keys") WHERE "assets"."deleted_at" is null and "assets"."tag_keys" is not null;--> statement-breakpoint
CREATE INDEX "assets_tagged" ON "assets" USING btree ("organization_id","updated_at") WHERE "assets"."deleted_at" is null and "assets"."tag_keys" is not null;--> statement-breakpoint
CREATE INDEX "assets_details_trigrams" ON "assets" USING gin ("organization_id","details_folded" gin_trgm_ops) WHERE "assets"."deleted_at" is null and "assets"."details_folded" is not null;