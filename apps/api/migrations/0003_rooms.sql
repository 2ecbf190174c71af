CREATE EXTENSION IF NOT EXISTS "pg_trgm";
--> statement-breakpoint
CREATE EXTENSION IF NOT EXISTS "btree_gin";
--> statement-breakpoint
CREATE TABLE "invitation_tokens" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"invitation_id" uuid NOT NULL,
	"issued_at" timestamp (3) with time zone NOT NULL,
	"voided_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "invitations" DROP CONSTRAINT "invitations_tokenHash_unique";--> statement-breakpoint
ALTER TABLE "assets" DROP CONSTRAINT "assets_published_from_asset_id_assets_id_fk";
--> statement-breakpoint
DROP INDEX "activities_newest_of_organization";--> statement-breakpoint
DROP INDEX "activities_newest_of_actor";--> statement-breakpoint
DROP INDEX "activities_newest_of_resource";--> statement-breakpoint
ALTER TABLE "stored_objects" ALTER COLUMN "key" SET DATA TYPE text collate "C";--> statement-breakpoint
ALTER TABLE "invitation_tokens" ADD CONSTRAINT "invitation_tokens_of_invitation" FOREIGN KEY ("organization_id","invitation_id") REFERENCES "public"."invitations"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "invitation_tokens_by_invitation" ON "invitation_tokens" USING btree ("organization_id","invitation_id");--> statement-breakpoint
ALTER TABLE "assets" ADD CONSTRAINT "assets_published_from_asset_id_assets_id_fk" FOREIGN KEY ("published_from_asset_id") REFERENCES "public"."assets"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "activities_of_organization" ON "activities" USING btree ("organization_id","created_at","id");--> statement-breakpoint
CREATE INDEX "activities_of_action_in_organization" ON "activities" USING btree ("organization_id","action","created_at","id");--> statement-breakpoint
CREATE INDEX "activities_of_actor" ON "activities" USING btree ("actor_id","created_at","id");--> statement-breakpoint
CREATE INDEX "activities_of_resource" ON "activities" USING btree ("resource_id","created_at","id");--> statement-breakpoint
CREATE INDEX "activities_newest" ON "activities" USING btree ("created_at" NULLS FIRST,"id" NULLS FIRST);--> statement-breakpoint
CREATE INDEX "activities_of_action" ON "activities" USING btree ("action","created_at" NULLS FIRST,"id" NULLS FIRST);--> statement-breakpoint
CREATE INDEX "assets_by_source" ON "assets" USING btree ("published_from_asset_id") WHERE "assets"."published_from_asset_id" is not null;--> statement-breakpoint
CREATE INDEX "stored_objects_by_thumbnail" ON "stored_objects" USING btree ("thumbnail_key") WHERE "stored_objects"."thumbnail_key" is not null;--> statement-breakpoint
CREATE INDEX "uploads_active_of_organization" ON "uploads" USING btree ("organization_id") WHERE "uploads"."status" = 'ACTIVE';--> statement-breakpoint
ALTER TABLE "invitations" DROP COLUMN "token_hash";--> statement-breakpoint
ALTER TABLE "activities" ADD CONSTRAINT "activities_action_of_resource_type" CHECK (split_part("activities"."action", '.', 1) = "activities"."resource_type");
--> statement-breakpoint
CREATE FUNCTION "refuse_change_of_activities"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'Activities are append-only: % is refused.', TG_OP USING ERRCODE = 'restrict_violation';
END;
$$;--> statement-breakpoint
CREATE TRIGGER "activities_stay_as_they_are" BEFORE UPDATE OR DELETE ON "activities" FOR EACH ROW EXECUTE FUNCTION "refuse_change_of_activities"();--> statement-breakpoint
CREATE TRIGGER "activities_are_not_emptied" BEFORE TRUNCATE ON "activities" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change_of_activities"();--> statement-breakpoint
ALTER TABLE "activities" ENABLE ALWAYS TRIGGER "activities_stay_as_they_are";--> statement-breakpoint
ALTER TABLE "activities" ENABLE ALWAYS TRIGGER "activities_are_not_emptied";
