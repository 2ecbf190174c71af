ALTER TABLE "stored_objects" ALTER COLUMN "key" SET DATA TYPE text collate "C";--> statement-breakpoint
CREATE INDEX "stored_objects_by_thumbnail" ON "stored_objects" USING btree ("thumbnail_key") WHERE "stored_objects"."thumbnail_key" is not null;--> statement-breakpoint
CREATE INDEX "uploads_active_of_organization" ON "uploads" USING btree ("organization_id") WHERE "uploads"."status" = 'ACTIVE';