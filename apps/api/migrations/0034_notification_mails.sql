CREATE TABLE "digests" (
	"user_id" uuid NOT NULL,
	"period" date NOT NULL,
	"sent_at" timestamp (3) with time zone,
	CONSTRAINT "digests_user_id_period_pk" PRIMARY KEY("user_id","period")
);
--> statement-breakpoint
CREATE TABLE "due_notices" (
	"organization_id" uuid NOT NULL,
	"task_id" uuid NOT NULL,
	"due_date" timestamp (3) with time zone NOT NULL,
	"reason" text NOT NULL,
	CONSTRAINT "due_notices_organization_id_task_id_due_date_reason_pk" PRIMARY KEY("organization_id","task_id","due_date","reason"),
	CONSTRAINT "due_notices_reason" CHECK ("due_notices"."reason" in ('due_soon', 'overdue'))
);
--> statement-breakpoint
ALTER TABLE "notifications" ALTER COLUMN "activity_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "inboxes" ADD COLUMN "instant_mails_at" timestamp (3) with time zone[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "notifications" ADD COLUMN "mail" text;--> statement-breakpoint
ALTER TABLE "digests" ADD CONSTRAINT "digests_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "due_notices" ADD CONSTRAINT "due_notices_task_of_same_organization" FOREIGN KEY ("organization_id","task_id") REFERENCES "public"."tasks"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "notifications_to_mail" ON "notifications" USING btree ("user_id","updated_at") WHERE mail is not null and read_at is null and archived_at is null;--> statement-breakpoint
CREATE INDEX "tasks_due_anywhere" ON "tasks" USING btree ("due_date") WHERE "tasks"."due_date" is not null and "tasks"."status" not in ('DONE', 'CANCELLED');--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_mail" CHECK ("notifications"."mail" in ('INSTANT', 'DIGEST'));