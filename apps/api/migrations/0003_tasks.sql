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
DROP INDEX "tasks_newest";--> statement-breakpoint
ALTER TABLE "column_sections" ADD CONSTRAINT "column_sections_project_of_same_organization" FOREIGN KEY ("organization_id","project_id") REFERENCES "public"."projects"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "tasks_newest" ON "tasks" USING btree ("organization_id","created_at","id");