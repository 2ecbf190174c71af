CREATE TABLE "share_pictures" (
	"organization_id" uuid NOT NULL,
	"stored_object_id" uuid NOT NULL,
	"watermark" text NOT NULL,
	"key" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "share_pictures_organization_id_stored_object_id_watermark_pk" PRIMARY KEY("organization_id","stored_object_id","watermark")
);
--> statement-breakpoint
CREATE TABLE "share_pins" (
	"organization_id" uuid NOT NULL,
	"share_id" uuid NOT NULL,
	"asset_id" uuid NOT NULL,
	"version_number" integer NOT NULL,
	CONSTRAINT "share_pins_organization_id_share_id_asset_id_pk" PRIMARY KEY("organization_id","share_id","asset_id")
);
--> statement-breakpoint
CREATE TABLE "share_tickets" (
	"organization_id" uuid NOT NULL,
	"ticket_hash" "bytea" NOT NULL,
	"share_id" uuid NOT NULL,
	"share_revision" integer NOT NULL,
	"visitor_name" text,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "share_tickets_organization_id_ticket_hash_pk" PRIMARY KEY("organization_id","ticket_hash")
);
--> statement-breakpoint
CREATE TABLE "share_views" (
	"organization_id" uuid NOT NULL,
	"share_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"action" text NOT NULL,
	"asset_id" uuid,
	"visitor_name" text,
	"network" text,
	"device" text NOT NULL,
	CONSTRAINT "share_views_organization_id_id_pk" PRIMARY KEY("organization_id","id"),
	CONSTRAINT "share_views_action" CHECK ("share_views"."action" in ('OPENED', 'PREVIEWED', 'DOWNLOADED', 'COMMENTED', 'PASSWORD_WRONG'))
);
--> statement-breakpoint
CREATE TABLE "shares" (
	"organization_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"target_type" text NOT NULL,
	"target_id" uuid NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"token" "bytea" NOT NULL,
	"label" text,
	"password_hash" text,
	"revision" integer NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"allow_download" boolean NOT NULL,
	"allow_comments" boolean NOT NULL,
	"versions" text NOT NULL,
	"watermark" text,
	"max_openings" integer,
	"opening_count" integer DEFAULT 0 NOT NULL,
	"last_opened_at" timestamp (3) with time zone,
	"guessing_noticed_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	"created_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "shares_organization_id_id_pk" PRIMARY KEY("organization_id","id"),
	CONSTRAINT "shares_target_type" CHECK ("shares"."target_type" in ('ASSET', 'COLLECTION')),
	CONSTRAINT "shares_versions" CHECK ("shares"."versions" in ('CURRENT', 'PINNED')),
	CONSTRAINT "shares_openings" CHECK ("shares"."opening_count" between 0 and coalesce("shares"."max_openings", 2147483647))
);
--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "shares_allowed" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "shares_need_password" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "max_share_days" smallint;--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "shares_allow_download" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "share_pictures" ADD CONSTRAINT "share_pictures_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "share_pictures" ADD CONSTRAINT "share_pictures_stored_object_id_stored_objects_id_fk" FOREIGN KEY ("stored_object_id") REFERENCES "public"."stored_objects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "share_pins" ADD CONSTRAINT "share_pins_of_share" FOREIGN KEY ("organization_id","share_id") REFERENCES "public"."shares"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "share_pins" ADD CONSTRAINT "share_pins_of_asset" FOREIGN KEY ("organization_id","asset_id") REFERENCES "public"."assets"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "share_tickets" ADD CONSTRAINT "share_tickets_of_share" FOREIGN KEY ("organization_id","share_id") REFERENCES "public"."shares"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "share_views" ADD CONSTRAINT "share_views_of_share" FOREIGN KEY ("organization_id","share_id") REFERENCES "public"."shares"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shares" ADD CONSTRAINT "shares_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shares" ADD CONSTRAINT "shares_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "share_pictures_by_object" ON "share_pictures" USING btree ("stored_object_id");--> statement-breakpoint
CREATE INDEX "share_pictures_by_key" ON "share_pictures" USING btree ("key");--> statement-breakpoint
CREATE INDEX "share_pictures_by_age" ON "share_pictures" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "share_pins_by_asset" ON "share_pins" USING btree ("organization_id","asset_id");--> statement-breakpoint
CREATE INDEX "share_tickets_of_share_index" ON "share_tickets" USING btree ("organization_id","share_id");--> statement-breakpoint
CREATE INDEX "share_tickets_by_hash" ON "share_tickets" USING btree ("ticket_hash");--> statement-breakpoint
CREATE INDEX "share_tickets_by_expiry" ON "share_tickets" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "share_views_newest" ON "share_views" USING btree ("organization_id","share_id","at","id");--> statement-breakpoint
CREATE INDEX "share_views_by_age" ON "share_views" USING btree ("at");--> statement-breakpoint
CREATE INDEX "shares_newest" ON "shares" USING btree ("organization_id","created_at","id");--> statement-breakpoint
CREATE INDEX "shares_of_target" ON "shares" USING btree ("organization_id","target_id");--> statement-breakpoint
CREATE INDEX "shares_by_token" ON "shares" USING btree ("token_hash");--> statement-breakpoint
ALTER TABLE "organizations" ADD CONSTRAINT "organizations_max_share_days" CHECK ("organizations"."max_share_days" between 1 and 365);