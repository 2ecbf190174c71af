CREATE TABLE "approvals" (
	"organization_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"api_key_id" uuid NOT NULL,
	"api_key_name" text NOT NULL,
	"api_key_kind" text NOT NULL,
	"created_by" uuid NOT NULL,
	"tool" text NOT NULL,
	"arguments" jsonb NOT NULL,
	"call_hash" "bytea" NOT NULL,
	"records" jsonb NOT NULL,
	"status" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"decided_by" uuid,
	"decided_at" timestamp (3) with time zone,
	CONSTRAINT "approvals_organization_id_id_pk" PRIMARY KEY("organization_id","id"),
	CONSTRAINT "approvals_status" CHECK ("approvals"."status" in ('WAITING', 'APPROVED', 'REFUSED', 'USED')),
	CONSTRAINT "approvals_api_key_kind" CHECK ("approvals"."api_key_kind" in ('PERSONAL', 'SERVICE')),
	CONSTRAINT "approvals_call_hash" CHECK (octet_length("approvals"."call_hash") = 32),
	CONSTRAINT "approvals_decided_at" CHECK (("approvals"."status" = 'WAITING') = ("approvals"."decided_at" is null))
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "tool_mode" text DEFAULT 'ASK' NOT NULL;--> statement-breakpoint
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_decided_by_users_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "approvals_newest" ON "approvals" USING btree ("organization_id","created_at","id");--> statement-breakpoint
CREATE INDEX "approvals_of_account" ON "approvals" USING btree ("created_by");--> statement-breakpoint
CREATE INDEX "approvals_of_key" ON "approvals" USING btree ("organization_id","api_key_id","expires_at");--> statement-breakpoint
CREATE INDEX "approvals_oldest" ON "approvals" USING btree ("created_at");--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_tool_mode" CHECK ("api_keys"."tool_mode" in ('READ_ONLY', 'ASK', 'FREE'));