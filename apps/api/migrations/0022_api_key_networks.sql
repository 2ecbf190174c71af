ALTER TABLE "api_keys" ADD COLUMN "networks" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "network_noticed_at" timestamp (3) with time zone;