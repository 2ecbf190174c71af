CREATE TABLE "log_positions" (
	"organization_id" uuid NOT NULL,
	"consumer" text NOT NULL,
	"epoch" text NOT NULL,
	"transaction_id" "xid8" NOT NULL,
	"activity_id" uuid NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "log_positions_organization_id_consumer_pk" PRIMARY KEY("organization_id","consumer")
);
--> statement-breakpoint
ALTER TABLE "log_positions" ADD CONSTRAINT "log_positions_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;