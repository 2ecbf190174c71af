CREATE TABLE "search_documents" (
	"organization_id" uuid NOT NULL,
	"type" text NOT NULL,
	"resource_id" uuid NOT NULL,
	"task_id" uuid,
	"project_id" uuid,
	"collection_id" uuid,
	"person_id" uuid,
	"title_folded" text NOT NULL,
	"words" "tsvector" NOT NULL,
	"indexed_revision" integer NOT NULL,
	CONSTRAINT "search_documents_organization_id_type_resource_id_pk" PRIMARY KEY("organization_id","type","resource_id"),
	CONSTRAINT "search_documents_type" CHECK ("search_documents"."type" in ('task', 'comment', 'asset', 'collection', 'project', 'person'))
);
--> statement-breakpoint
DROP INDEX "assets_name_trigrams";--> statement-breakpoint
ALTER TABLE "assets" ADD COLUMN "name_folded" text;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "name_folded" text;--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "title_folded" text;--> statement-breakpoint
ALTER TABLE "search_documents" ADD CONSTRAINT "search_documents_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "search_documents" ADD CONSTRAINT "search_documents_person_id_users_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "search_documents_words" ON "search_documents" USING gin ("organization_id","words");--> statement-breakpoint
CREATE INDEX "search_documents_titles" ON "search_documents" USING btree ("organization_id","title_folded" text_pattern_ops);--> statement-breakpoint
CREATE INDEX "search_documents_title_trigrams" ON "search_documents" USING gin ("organization_id","title_folded" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "search_documents_of_task" ON "search_documents" USING btree ("organization_id","task_id") WHERE "search_documents"."task_id" is not null;--> statement-breakpoint
CREATE INDEX "search_documents_of_project" ON "search_documents" USING btree ("organization_id","project_id") WHERE "search_documents"."project_id" is not null;--> statement-breakpoint
CREATE INDEX "search_documents_of_person" ON "search_documents" USING btree ("person_id") WHERE "search_documents"."person_id" is not null;--> statement-breakpoint
CREATE INDEX "search_documents_of_collection" ON "search_documents" USING btree ("organization_id","collection_id") WHERE "search_documents"."collection_id" is not null;--> statement-breakpoint
CREATE INDEX "assets_name_folded_trigrams" ON "assets" USING gin ("organization_id","name_folded" gin_trgm_ops) WHERE "assets"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "assets_not_folded" ON "assets" USING btree ("organization_id","id") WHERE "assets"."name_folded" is null;--> statement-breakpoint
CREATE INDEX "projects_not_folded" ON "projects" USING btree ("organization_id","id") WHERE "projects"."name_folded" is null;--> statement-breakpoint
CREATE INDEX "tasks_title_folded_trigrams" ON "tasks" USING gin ("organization_id","title_folded" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "tasks_not_folded" ON "tasks" USING btree ("organization_id","id") WHERE "tasks"."title_folded" is null;--> statement-breakpoint
-- The release before goes on writing names until it is replaced, without their folded form. Of ASCII characters, folding
-- is lower case alone; others become null, and a job folds them.
CREATE FUNCTION "fold_name"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.name_folded = CASE WHEN octet_length(NEW.name) = char_length(NEW.name) THEN lower(NEW.name COLLATE "C") END;
  RETURN NEW;
END;
$$;--> statement-breakpoint
CREATE FUNCTION "fold_title"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.title_folded = CASE WHEN octet_length(NEW.title) = char_length(NEW.title) THEN lower(NEW.title COLLATE "C") END;
  RETURN NEW;
END;
$$;--> statement-breakpoint
CREATE TRIGGER "assets_name_added" BEFORE INSERT ON "assets" FOR EACH ROW WHEN (NEW.name_folded IS NULL) EXECUTE FUNCTION "fold_name"();--> statement-breakpoint
CREATE TRIGGER "assets_name_changed" BEFORE UPDATE OF "name" ON "assets" FOR EACH ROW WHEN (NEW.name <> OLD.name AND NEW.name_folded IS NOT DISTINCT FROM OLD.name_folded) EXECUTE FUNCTION "fold_name"();--> statement-breakpoint
CREATE TRIGGER "projects_name_added" BEFORE INSERT ON "projects" FOR EACH ROW WHEN (NEW.name_folded IS NULL) EXECUTE FUNCTION "fold_name"();--> statement-breakpoint
CREATE TRIGGER "projects_name_changed" BEFORE UPDATE OF "name" ON "projects" FOR EACH ROW WHEN (NEW.name <> OLD.name AND NEW.name_folded IS NOT DISTINCT FROM OLD.name_folded) EXECUTE FUNCTION "fold_name"();--> statement-breakpoint
CREATE TRIGGER "tasks_title_added" BEFORE INSERT ON "tasks" FOR EACH ROW WHEN (NEW.title_folded IS NULL) EXECUTE FUNCTION "fold_title"();--> statement-breakpoint
CREATE TRIGGER "tasks_title_changed" BEFORE UPDATE OF "title" ON "tasks" FOR EACH ROW WHEN (NEW.title <> OLD.title AND NEW.title_folded IS NOT DISTINCT FROM OLD.title_folded) EXECUTE FUNCTION "fold_title"();--> statement-breakpoint
-- Organizations of before are followed from an unknown position: the consumer then builds their index anew.
INSERT INTO "log_positions" ("organization_id", "consumer", "epoch", "transaction_id", "activity_id", "updated_at")
SELECT "id", 'search', 'none', '0', '00000000-0000-0000-0000-000000000000', now()
FROM "organizations" WHERE "deleted_at" IS NULL;
