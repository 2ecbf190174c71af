CREATE TABLE "invitations" (
	"organization_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"email" text NOT NULL,
	"role" text NOT NULL,
	"token_hash" "bytea",
	"status" text NOT NULL,
	"invited_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "invitations_organization_id_id_pk" PRIMARY KEY("organization_id","id"),
	CONSTRAINT "invitations_tokenHash_unique" UNIQUE("token_hash"),
	CONSTRAINT "invitations_email_lower_case" CHECK ("invitations"."email" = lower("invitations"."email")),
	CONSTRAINT "invitations_role" CHECK ("invitations"."role" in ('OWNER', 'ADMIN', 'MEMBER', 'VIEWER')),
	CONSTRAINT "invitations_status" CHECK ("invitations"."status" in ('PENDING', 'ACCEPTED', 'REVOKED'))
);
--> statement-breakpoint
CREATE TABLE "organization_usage" (
	"organization_id" uuid PRIMARY KEY NOT NULL,
	"storage_bytes" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "organization_usage_not_negative" CHECK ("organization_usage"."storage_bytes" >= 0)
);
--> statement-breakpoint
CREATE TABLE "plans" (
	"id" uuid PRIMARY KEY NOT NULL,
	"code" text NOT NULL,
	"name" text NOT NULL,
	"description" text NOT NULL,
	"price_cents" integer NOT NULL,
	"currency" text NOT NULL,
	"interval" text NOT NULL,
	"max_members" integer,
	"max_storage_bytes" bigint,
	"max_file_bytes" bigint,
	"max_projects" integer,
	"max_versions_per_asset" integer,
	"features" jsonb NOT NULL,
	"is_default" boolean NOT NULL,
	CONSTRAINT "plans_code_unique" UNIQUE("code"),
	CONSTRAINT "plans_code" CHECK ("plans"."code" in ('FREE', 'PRO', 'BUSINESS')),
	CONSTRAINT "plans_interval" CHECK ("plans"."interval" in ('MONTH', 'YEAR'))
);
--> statement-breakpoint
INSERT INTO "plans" ("id", "code", "name", "description", "price_cents", "currency", "interval", "max_members", "max_storage_bytes", "max_file_bytes", "max_projects", "max_versions_per_asset", "features", "is_default") VALUES
	('019aa4ef-0000-7a00-8b00-000000000001', 'FREE', 'Free', 'For people and small teams', 0, 'EUR', 'MONTH', 50, 10737418240, 5368709120, 100, 100, '["Collections with versions", "Projects and tasks", "Activity timeline"]', true),
	('019aa4ef-0000-7a00-8b00-000000000002', 'PRO', 'Pro', 'For growing teams with large files', 1200, 'EUR', 'MONTH', 500, 1099511627776, 53687091200, 1000, 1000, '["Everything in Free", "1 TiB of storage", "Files up to 50 GiB"]', false),
	('019aa4ef-0000-7a00-8b00-000000000003', 'BUSINESS', 'Business', 'For whole companies', 4900, 'EUR', 'MONTH', NULL, 10995116277760, 5497558138880, NULL, NULL, '["Everything in Pro", "10 TiB of storage", "Members, projects and versions without limit"]', false);
--> statement-breakpoint
CREATE TABLE "comments" (
	"organization_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"task_id" uuid NOT NULL,
	"author_id" uuid NOT NULL,
	"body" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"edited_at" timestamp (3) with time zone,
	CONSTRAINT "comments_organization_id_id_pk" PRIMARY KEY("organization_id","id")
);
--> statement-breakpoint
CREATE TABLE "projects" (
	"organization_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"key" text NOT NULL,
	"status" text NOT NULL,
	"rank" text collate "C" NOT NULL,
	"next_task_number" integer DEFAULT 1 NOT NULL,
	"created_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "projects_organization_id_id_pk" PRIMARY KEY("organization_id","id"),
	CONSTRAINT "projects_rank" UNIQUE("organization_id","rank"),
	CONSTRAINT "projects_key" UNIQUE("organization_id","key"),
	CONSTRAINT "projects_status" CHECK ("projects"."status" in ('ACTIVE', 'ARCHIVED'))
);
--> statement-breakpoint
CREATE TABLE "task_assignees" (
	"organization_id" uuid NOT NULL,
	"task_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"assigned_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "task_assignees_organization_id_task_id_user_id_pk" PRIMARY KEY("organization_id","task_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "tasks" (
	"organization_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"project_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"title" text NOT NULL,
	"description" text,
	"status" text NOT NULL,
	"priority" text NOT NULL,
	"due_date" timestamp (3) with time zone,
	"rank" text collate "C" NOT NULL,
	"completed_at" timestamp (3) with time zone,
	"created_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "tasks_organization_id_id_pk" PRIMARY KEY("organization_id","id"),
	CONSTRAINT "tasks_rank" UNIQUE("organization_id","project_id","status","rank"),
	CONSTRAINT "tasks_number" UNIQUE("organization_id","project_id","number"),
	CONSTRAINT "tasks_status" CHECK ("tasks"."status" in ('BACKLOG', 'TODO', 'IN_PROGRESS', 'IN_REVIEW', 'DONE', 'CANCELLED')),
	CONSTRAINT "tasks_priority" CHECK ("tasks"."priority" in ('NONE', 'LOW', 'MEDIUM', 'HIGH', 'URGENT')),
	CONSTRAINT "tasks_completed_when_done" CHECK (("tasks"."status" = 'DONE') = ("tasks"."completed_at" is not null))
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "mail_notices" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "stored_objects" ADD COLUMN "detected_type" text;--> statement-breakpoint
ALTER TABLE "stored_objects" ADD COLUMN "width_pixels" integer;--> statement-breakpoint
ALTER TABLE "stored_objects" ADD COLUMN "height_pixels" integer;--> statement-breakpoint
ALTER TABLE "stored_objects" ADD COLUMN "thumbnail_key" text;--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "deleted_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_invited_by_users_id_fk" FOREIGN KEY ("invited_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "organization_usage" ADD CONSTRAINT "organization_usage_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "comments" ADD CONSTRAINT "comments_author_id_users_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "comments" ADD CONSTRAINT "comments_task_of_same_organization" FOREIGN KEY ("organization_id","task_id") REFERENCES "public"."tasks"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "task_assignees" ADD CONSTRAINT "task_assignees_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "task_assignees" ADD CONSTRAINT "task_assignees_task_of_same_organization" FOREIGN KEY ("organization_id","task_id") REFERENCES "public"."tasks"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_project_of_same_organization" FOREIGN KEY ("organization_id","project_id") REFERENCES "public"."projects"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "invitations_one_pending_each" ON "invitations" USING btree ("organization_id","email") WHERE "invitations"."status" = 'PENDING';--> statement-breakpoint
CREATE INDEX "invitations_newest" ON "invitations" USING btree ("organization_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE UNIQUE INDEX "plans_one_default" ON "plans" USING btree ("is_default") WHERE "plans"."is_default";--> statement-breakpoint
CREATE INDEX "comments_oldest" ON "comments" USING btree ("organization_id","task_id","created_at","id");--> statement-breakpoint
CREATE INDEX "task_assignees_by_user" ON "task_assignees" USING btree ("organization_id","user_id");--> statement-breakpoint
CREATE INDEX "tasks_newest" ON "tasks" USING btree ("organization_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
ALTER TABLE "organizations" ADD CONSTRAINT "organizations_plan_code_plans_code_fk" FOREIGN KEY ("plan_code") REFERENCES "public"."plans"("code") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
INSERT INTO "organization_usage" ("organization_id", "storage_bytes")
SELECT "organization_id", sum("size_bytes") FROM (
	SELECT DISTINCT "asset_versions"."organization_id", "stored_objects"."id", "stored_objects"."size_bytes"
	FROM "asset_versions" INNER JOIN "stored_objects" ON "stored_objects"."id" = "asset_versions"."stored_object_id"
) "objects" GROUP BY "organization_id";
