CREATE TABLE "notification_preferences" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"settings" jsonb NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "notifications" DROP CONSTRAINT "notifications_reason";--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "mail_content" text DEFAULT 'TITLES' NOT NULL;--> statement-breakpoint
ALTER TABLE "notification_preferences" ADD CONSTRAINT "notification_preferences_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_reason" CHECK ("notifications"."reason" in ('mentioned', 'assigned', 'unassigned', 'commented', 'changed', 'due_soon', 'overdue', 'invited', 'role_changed', 'removed', 'integration_failing', 'security'));--> statement-breakpoint
ALTER TABLE "organizations" ADD CONSTRAINT "organizations_mail_content" CHECK ("organizations"."mail_content" in ('FULL', 'TITLES', 'NONE'));--> statement-breakpoint
-- Those who wanted no mails about assignments and mentions still get none.
INSERT INTO "notification_preferences" ("user_id", "settings", "updated_at")
SELECT "id", '{"reasons": {"assigned": {"inbox": true, "mail": "OFF"}, "mentioned": {"inbox": true, "mail": "OFF"}}}', now()
FROM "users" WHERE NOT "mail_notices" AND "kind" = 'PERSON' AND "account_status" IN ('PENDING', 'VERIFIED', 'SUSPENDED', 'DELETION_PENDING');
