CREATE TABLE "upload_claims" (
	"organization_id" uuid NOT NULL,
	"upload_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "upload_claims_organization_id_upload_id_pk" PRIMARY KEY("organization_id","upload_id")
);
--> statement-breakpoint
ALTER TABLE "upload_claims" ADD CONSTRAINT "upload_claims_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "upload_claims" ADD CONSTRAINT "upload_claims_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "upload_claims_by_user" ON "upload_claims" USING btree ("user_id","expires_at");--> statement-breakpoint
CREATE INDEX "upload_claims_by_expiry" ON "upload_claims" USING btree ("expires_at");--> statement-breakpoint
-- Counts the other uploads that a user has open, in all organizations: one Postgres finds them in one index. `operator
-- distribute` replaces this function, for uploads on several servers, which each have a claim.
CREATE FUNCTION "claim_upload"(
  "an_organization" uuid, "a_user" uuid, "an_upload" uuid, "at" timestamptz, "an_end" timestamptz, "most" integer
) RETURNS SETOF integer LANGUAGE sql STABLE AS $$
  SELECT count(*)::integer FROM uploads
  WHERE uploads.user_id = a_user AND uploads.status = 'ACTIVE' AND uploads.expires_at > at AND uploads.id <> an_upload
$$;
