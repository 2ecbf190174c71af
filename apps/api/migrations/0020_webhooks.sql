CREATE TABLE "webhook_attempts" (
	"organization_id" uuid NOT NULL,
	"delivery_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"duration_ms" integer NOT NULL,
	"status" smallint,
	"error" text,
	"response_excerpt" text,
	CONSTRAINT "webhook_attempts_organization_id_delivery_id_number_pk" PRIMARY KEY("organization_id","delivery_id","number")
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"organization_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"webhook_id" uuid NOT NULL,
	"event_id" uuid NOT NULL,
	"event_type" text NOT NULL,
	"sequence" bigint NOT NULL,
	"body" "bytea" NOT NULL,
	"status" text NOT NULL,
	"attempt_count" integer NOT NULL,
	"next_attempt_at" timestamp (3) with time zone,
	"claimed_until" timestamp (3) with time zone,
	"last_status" smallint,
	"last_error" text,
	"is_replay" boolean NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"delivered_at" timestamp (3) with time zone,
	CONSTRAINT "webhook_deliveries_organization_id_id_pk" PRIMARY KEY("organization_id","id"),
	CONSTRAINT "webhook_deliveries_status" CHECK ("webhook_deliveries"."status" in ('PENDING', 'DELIVERED', 'FAILED'))
);
--> statement-breakpoint
CREATE TABLE "webhooks" (
	"organization_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"url" text NOT NULL,
	"description" text,
	"events" text[] NOT NULL,
	"ordering" text NOT NULL,
	"status" text NOT NULL,
	"disabled_reason" text,
	"secret" "bytea" NOT NULL,
	"previous_secret" "bytea",
	"signing_key" "bytea" NOT NULL,
	"previous_secret_expires_at" timestamp (3) with time zone,
	"secret_hint" text NOT NULL,
	"public_key" text NOT NULL,
	"failure_count" integer NOT NULL,
	"failing_since" timestamp (3) with time zone,
	"last_delivered_at" timestamp (3) with time zone,
	"last_sequence" bigint NOT NULL,
	"follows_from" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	"created_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "webhooks_organization_id_id_pk" PRIMARY KEY("organization_id","id"),
	CONSTRAINT "webhooks_ordering" CHECK ("webhooks"."ordering" in ('PARALLEL', 'STRICT')),
	CONSTRAINT "webhooks_status" CHECK ("webhooks"."status" in ('ACTIVE', 'PAUSED', 'FAILING', 'DISABLED'))
);
--> statement-breakpoint
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_delivery_of_same_organization" FOREIGN KEY ("organization_id","delivery_id") REFERENCES "public"."webhook_deliveries"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_deliveries_once" ON "webhook_deliveries" USING btree ("organization_id","webhook_id","event_id") WHERE not is_replay;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_pending" ON "webhook_deliveries" USING btree ("organization_id","webhook_id","sequence") WHERE status = 'PENDING';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_newest" ON "webhook_deliveries" USING btree ("organization_id","webhook_id","created_at","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_by_age" ON "webhook_deliveries" USING btree ("created_at");