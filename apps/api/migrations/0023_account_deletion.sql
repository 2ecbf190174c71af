CREATE TABLE "erased_subjects" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"erased_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "mailed_tokens" DROP CONSTRAINT "mailed_tokens_purpose";--> statement-breakpoint
ALTER TABLE "users" DROP CONSTRAINT "users_account_status";--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "deletes_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "erased_subjects" ADD CONSTRAINT "erased_subjects_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "erased_subjects_by_user" ON "erased_subjects" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "users_deletes_at" ON "users" USING btree ("deletes_at") WHERE "users"."deletes_at" is not null;--> statement-breakpoint
ALTER TABLE "mailed_tokens" ADD CONSTRAINT "mailed_tokens_purpose" CHECK ("mailed_tokens"."purpose" in ('verify_email', 'reset_password', 'cancel_deletion'));--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_deletion" CHECK (("users"."account_status" in ('DELETION_PENDING', 'DELETING')) = ("users"."deletes_at" is not null));--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_deleted" CHECK (("users"."account_status" = 'DELETED') = ("users"."email" like '%@deleted.invalid')
        and ("users"."account_status" <> 'DELETED' or "users"."password_hash" is null
          and "users"."first_name" is null and "users"."last_name" is null and "users"."avatar_key" is null
          and "users"."platform_role" = 'USER'
          and "users"."email" = 'deleted-' || "users"."id"::text || '@deleted.invalid'));--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_account_status" CHECK ("users"."account_status" in ('PENDING', 'VERIFIED', 'SUSPENDED', 'DELETION_PENDING', 'DELETING', 'DELETED'));