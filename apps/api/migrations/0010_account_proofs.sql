ALTER TABLE "users" ADD COLUMN "password_origin" text DEFAULT 'REGISTERED' NOT NULL;--> statement-breakpoint
ALTER TABLE "exchange_codes" ADD COLUMN "challenge" "bytea";--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_password_origin" CHECK ("users"."password_origin" in ('REGISTERED', 'PROVEN')
        or ("users"."password_origin" = 'CONTESTED' and "users"."account_status" = 'PENDING'));--> statement-breakpoint
ALTER TABLE "exchange_codes" ADD CONSTRAINT "exchange_codes_challenge" CHECK (octet_length("exchange_codes"."challenge") = 32);