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
CREATE TABLE "column_sections" (
	"organization_id" uuid NOT NULL,
	"project_id" uuid NOT NULL,
	"status" text NOT NULL,
	"starts_at" text collate "C" NOT NULL,
	"task_count" integer NOT NULL,
	CONSTRAINT "column_sections_organization_id_project_id_status_starts_at_pk" PRIMARY KEY("organization_id","project_id","status","starts_at"),
	CONSTRAINT "column_sections_not_negative" CHECK ("column_sections"."task_count" >= 0)
);
--> statement-breakpoint
ALTER TABLE "invitations" DROP CONSTRAINT "invitations_tokenHash_unique";--> statement-breakpoint
ALTER TABLE "assets" DROP CONSTRAINT "assets_published_from_asset_id_assets_id_fk";
--> statement-breakpoint
DROP INDEX "activities_newest_of_organization";--> statement-breakpoint
DROP INDEX "activities_newest_of_actor";--> statement-breakpoint
DROP INDEX "activities_newest_of_resource";--> statement-breakpoint
DROP INDEX "assets_newest_in_collection";--> statement-breakpoint
DROP INDEX "collections_newest";--> statement-breakpoint
DROP INDEX "invitations_newest";--> statement-breakpoint
DROP INDEX "tasks_newest";--> statement-breakpoint
ALTER TABLE "stored_objects" ALTER COLUMN "key" SET DATA TYPE text collate "C";--> statement-breakpoint
ALTER TABLE "activities" ADD COLUMN "transaction_id" "xid8" DEFAULT pg_current_xact_id() NOT NULL;--> statement-breakpoint
ALTER TABLE "invitation_tokens" ADD CONSTRAINT "invitation_tokens_of_invitation" FOREIGN KEY ("organization_id","invitation_id") REFERENCES "public"."invitations"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "column_sections" ADD CONSTRAINT "column_sections_project_of_same_organization" FOREIGN KEY ("organization_id","project_id") REFERENCES "public"."projects"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "invitation_tokens_by_invitation" ON "invitation_tokens" USING btree ("organization_id","invitation_id");--> statement-breakpoint
ALTER TABLE "assets" ADD CONSTRAINT "assets_published_from_asset_id_assets_id_fk" FOREIGN KEY ("published_from_asset_id") REFERENCES "public"."assets"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "activities_by_transaction" ON "activities" USING btree ("organization_id","transaction_id");--> statement-breakpoint
CREATE INDEX "activities_of_organization" ON "activities" USING btree ("organization_id","created_at","id");--> statement-breakpoint
CREATE INDEX "activities_of_action_in_organization" ON "activities" USING btree ("organization_id","action","created_at","id");--> statement-breakpoint
CREATE INDEX "activities_of_actor" ON "activities" USING btree ("actor_id","created_at","id");--> statement-breakpoint
CREATE INDEX "activities_of_resource" ON "activities" USING btree ("resource_id","created_at","id");--> statement-breakpoint
CREATE INDEX "activities_newest" ON "activities" USING btree ("created_at" NULLS FIRST,"id" NULLS FIRST);--> statement-breakpoint
CREATE INDEX "activities_of_action" ON "activities" USING btree ("action","created_at" NULLS FIRST,"id" NULLS FIRST);--> statement-breakpoint
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
CREATE INDEX "stored_objects_by_thumbnail" ON "stored_objects" USING btree ("thumbnail_key") WHERE "stored_objects"."thumbnail_key" is not null;--> statement-breakpoint
CREATE INDEX "uploads_active_of_organization" ON "uploads" USING btree ("organization_id") WHERE "uploads"."status" = 'ACTIVE';--> statement-breakpoint
CREATE INDEX "uploads_by_asset" ON "uploads" USING btree ("asset_id");--> statement-breakpoint
CREATE INDEX "uploads_by_target" ON "uploads" USING btree ("target_asset_id");--> statement-breakpoint
CREATE INDEX "uploads_by_collection" ON "uploads" USING btree ("collection_id");--> statement-breakpoint
CREATE INDEX "assets_newest_in_collection" ON "assets" USING btree ("collection_id","organization_id","created_at","id") WHERE "assets"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "collections_newest" ON "collections" USING btree ("organization_id","created_at","id") WHERE "collections"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "invitations_newest" ON "invitations" USING btree ("organization_id","created_at","id");--> statement-breakpoint
CREATE INDEX "tasks_newest" ON "tasks" USING btree ("organization_id","created_at","id");--> statement-breakpoint
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
