CREATE TABLE "known_origins" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"devices" text[] NOT NULL,
	"networks" text[] NOT NULL,
	"notices" smallint DEFAULT 0 NOT NULL,
	"noticed_since" timestamp (3) with time zone,
	CONSTRAINT "known_origins_bounded" CHECK (cardinality("known_origins"."devices") <= 20 and cardinality("known_origins"."networks") <= 20)
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "mail_sign_ins" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "sign_in_method" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "second_factor" text;--> statement-breakpoint
ALTER TABLE "known_origins" ADD CONSTRAINT "known_origins_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_sign_in" CHECK ("sessions"."sign_in_method" in ('password', 'provider', 'passkey')
          and ("sessions"."second_factor" is null or "sessions"."second_factor" in ('passkey', 'totp', 'recovery')));