ALTER TABLE "tasks" ADD COLUMN "parent_id" uuid;--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "subtask_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "completed_subtask_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_parent_of_same_organization" FOREIGN KEY ("organization_id","parent_id") REFERENCES "public"."tasks"("organization_id","id") ON DELETE set null ("parent_id") ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "tasks_by_parent" ON "tasks" USING btree ("organization_id","parent_id") WHERE "tasks"."parent_id" is not null;--> statement-breakpoint
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_subtask_has_none" CHECK ("tasks"."parent_id" is null or ("tasks"."subtask_count" = 0 and "tasks"."parent_id" <> "tasks"."id"));