-- In the order in which the service locks them: an asset, then its versions.
ALTER TABLE "assets" ADD COLUMN "comment_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "assets" ADD COLUMN "open_comment_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "asset_versions" ADD COLUMN "review_status" text;--> statement-breakpoint
ALTER TABLE "asset_versions" ADD COLUMN "reviewed_by" uuid;--> statement-breakpoint
ALTER TABLE "asset_versions" ADD COLUMN "reviewed_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE TABLE "asset_comments" (
	"organization_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"asset_id" uuid NOT NULL,
	"version_number" integer NOT NULL,
	"parent_id" uuid,
	"author_id" uuid,
	"share_id" uuid,
	"guest_name" text,
	"body" text NOT NULL,
	"anchor" jsonb,
	"resolved_at" timestamp (3) with time zone,
	"resolved_by" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"edited_at" timestamp (3) with time zone,
	CONSTRAINT "asset_comments_organization_id_id_pk" PRIMARY KEY("organization_id","id"),
	CONSTRAINT "asset_comments_author_or_guest" CHECK (("asset_comments"."author_id" is null) = ("asset_comments"."share_id" is not null) and ("asset_comments"."author_id" is null) = ("asset_comments"."guest_name" is not null)),
	CONSTRAINT "asset_comments_reply" CHECK ("asset_comments"."parent_id" is null or ("asset_comments"."anchor" is null and "asset_comments"."resolved_at" is null)),
	CONSTRAINT "asset_comments_resolved" CHECK (("asset_comments"."resolved_at" is null) = ("asset_comments"."resolved_by" is null))
);--> statement-breakpoint
ALTER TABLE "asset_comments" ADD CONSTRAINT "asset_comments_author_id_users_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "asset_comments" ADD CONSTRAINT "asset_comments_resolved_by_users_id_fk" FOREIGN KEY ("resolved_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "asset_comments" ADD CONSTRAINT "asset_comments_version_of_same_organization" FOREIGN KEY ("organization_id","asset_id","version_number") REFERENCES "public"."asset_versions"("organization_id","asset_id","version_number") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "asset_comments" ADD CONSTRAINT "asset_comments_parent_of_same_organization" FOREIGN KEY ("organization_id","parent_id") REFERENCES "public"."asset_comments"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "asset_comments_oldest" ON "asset_comments" USING btree ("organization_id","asset_id","created_at","id");--> statement-breakpoint
CREATE INDEX "asset_comments_replies" ON "asset_comments" USING btree ("organization_id","parent_id") WHERE parent_id is not null;--> statement-breakpoint
ALTER TABLE "asset_versions" ADD CONSTRAINT "asset_versions_reviewed_by_users_id_fk" FOREIGN KEY ("reviewed_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "asset_versions_by_review" ON "asset_versions" USING btree ("organization_id","review_status","asset_id","version_number") WHERE review_status is not null;--> statement-breakpoint
ALTER TABLE "asset_versions" ADD CONSTRAINT "asset_versions_review_status" CHECK ("asset_versions"."review_status" in ('IN_REVIEW', 'APPROVED', 'CHANGES_REQUESTED'));