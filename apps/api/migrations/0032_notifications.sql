CREATE TABLE "inboxes" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"last_sequence" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notifications" (
	"organization_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"sequence" bigint NOT NULL,
	"reason" text NOT NULL,
	"task_id" uuid,
	"comment_id" uuid,
	"activity_id" uuid NOT NULL,
	"actor_id" uuid,
	"event_count" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"read_at" timestamp (3) with time zone,
	"archived_at" timestamp (3) with time zone,
	"snoozed_until" timestamp (3) with time zone,
	CONSTRAINT "notifications_organization_id_id_pk" PRIMARY KEY("organization_id","id"),
	CONSTRAINT "notifications_reason" CHECK ("notifications"."reason" in ('mentioned', 'assigned', 'unassigned', 'commented', 'changed', 'role_changed', 'removed'))
);
--> statement-breakpoint
CREATE TABLE "task_follows" (
	"organization_id" uuid NOT NULL,
	"task_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"state" text NOT NULL,
	CONSTRAINT "task_follows_organization_id_task_id_user_id_pk" PRIMARY KEY("organization_id","task_id","user_id"),
	CONSTRAINT "task_follows_state" CHECK ("task_follows"."state" in ('FOLLOWING', 'MUTED'))
);
--> statement-breakpoint
ALTER TABLE "inboxes" ADD CONSTRAINT "inboxes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_actor_id_users_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "task_follows" ADD CONSTRAINT "task_follows_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "task_follows" ADD CONSTRAINT "task_follows_task_of_same_organization" FOREIGN KEY ("organization_id","task_id") REFERENCES "public"."tasks"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "notifications_newest" ON "notifications" USING btree ("user_id","sequence");--> statement-breakpoint
CREATE INDEX "notifications_by_person" ON "notifications" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "notifications_unread" ON "notifications" USING btree ("user_id","organization_id","task_id","reason") WHERE read_at is null and archived_at is null;--> statement-breakpoint
-- Teams of before are followed from now on. Later ones are followed from their beginning.
INSERT INTO "log_positions" ("organization_id", "consumer", "epoch", "transaction_id", "activity_id", "updated_at")
SELECT "id", 'notifications',
	concat_ws('.', (SELECT system_identifier::text FROM pg_control_system()), left(pg_walfile_name(pg_current_wal_insert_lsn()), 8),
		(SELECT oid FROM pg_database WHERE datname = current_database()), 'activities'::regclass::oid),
	pg_snapshot_xmin(pg_current_snapshot()), '00000000-0000-0000-0000-000000000000', now()
FROM "organizations" WHERE "type" = 'TEAM' AND "deleted_at" IS NULL;
