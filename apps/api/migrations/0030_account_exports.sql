CREATE TABLE "account_exports" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"key" text,
	"attempt_key" text,
	"size_bytes" bigint,
	"created_at" timestamp (3) with time zone NOT NULL,
	"ready_at" timestamp (3) with time zone,
	CONSTRAINT "account_exports_key_unique" UNIQUE("key"),
	CONSTRAINT "account_exports_attemptKey_unique" UNIQUE("attempt_key"),
	CONSTRAINT "account_exports_ready" CHECK (("account_exports"."ready_at" is null) = ("account_exports"."key" is null)
          and ("account_exports"."ready_at" is null) = ("account_exports"."size_bytes" is null)
          and ("account_exports"."ready_at" is null or "account_exports"."attempt_key" is null))
);
--> statement-breakpoint
ALTER TABLE "account_exports" ADD CONSTRAINT "account_exports_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "account_exports_newest" ON "account_exports" USING btree ("user_id","created_at","id");--> statement-breakpoint
CREATE INDEX "account_exports_by_age" ON "account_exports" USING btree ("created_at");