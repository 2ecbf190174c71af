CREATE TABLE "task_assets" (
	"organization_id" uuid NOT NULL,
	"task_id" uuid NOT NULL,
	"asset_id" uuid NOT NULL,
	"attached_by" uuid NOT NULL,
	"attached_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "task_assets_organization_id_task_id_asset_id_pk" PRIMARY KEY("organization_id","task_id","asset_id")
);
--> statement-breakpoint
ALTER TABLE "task_assets" ADD CONSTRAINT "task_assets_attached_by_users_id_fk" FOREIGN KEY ("attached_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "task_assets" ADD CONSTRAINT "task_assets_task_of_same_organization" FOREIGN KEY ("organization_id","task_id") REFERENCES "public"."tasks"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "task_assets" ADD CONSTRAINT "task_assets_asset_of_same_organization" FOREIGN KEY ("organization_id","asset_id") REFERENCES "public"."assets"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "task_assets_by_asset" ON "task_assets" USING btree ("organization_id","asset_id");