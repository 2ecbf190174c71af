ALTER TABLE "assets" DROP CONSTRAINT "assets_published_from_asset_id_assets_id_fk";
--> statement-breakpoint
ALTER TABLE "assets" ADD CONSTRAINT "assets_published_from_asset_id_assets_id_fk" FOREIGN KEY ("published_from_asset_id") REFERENCES "public"."assets"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "assets_by_source" ON "assets" USING btree ("published_from_asset_id") WHERE "assets"."published_from_asset_id" is not null;