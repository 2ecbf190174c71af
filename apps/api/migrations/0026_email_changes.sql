CREATE TABLE "email_change_requests" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"session_id" uuid NOT NULL,
	"new_email" text NOT NULL,
	"requested_at" timestamp (3) with time zone NOT NULL,
	"token_hash" "bytea",
	CONSTRAINT "email_change_requests_tokenHash_unique" UNIQUE("token_hash"),
	CONSTRAINT "email_change_requests_lower_case" CHECK ("email_change_requests"."new_email" = lower("email_change_requests"."new_email")),
	CONSTRAINT "email_change_requests_token" CHECK (octet_length("email_change_requests"."token_hash") = 32)
);
--> statement-breakpoint
CREATE TABLE "email_changes" (
	"user_id" uuid NOT NULL,
	"step" smallint NOT NULL,
	"old_email" text NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL,
	"undo_hash" "bytea",
	CONSTRAINT "email_changes_user_id_step_pk" PRIMARY KEY("user_id","step"),
	CONSTRAINT "email_changes_undoHash_unique" UNIQUE("undo_hash"),
	CONSTRAINT "email_changes_undo" CHECK (octet_length("email_changes"."undo_hash") = 32)
);
--> statement-breakpoint
ALTER TABLE "mailed_tokens" ADD COLUMN "email" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "email_changed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "email_fixed_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "email_change_requests" ADD CONSTRAINT "email_change_requests_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "email_changes" ADD CONSTRAINT "email_changes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "email_changes_by_old_email" ON "email_changes" USING btree ("old_email");