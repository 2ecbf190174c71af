ALTER TABLE "api_keys" ADD COLUMN "kind" text DEFAULT 'PERSONAL' NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "kind" text DEFAULT 'PERSON' NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "created_by" uuid;--> statement-breakpoint
ALTER TABLE "memberships" ADD COLUMN "is_service" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "personal_keys" text DEFAULT 'ALLOWED' NOT NULL;--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "max_key_lifetime_days" smallint;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_kind" CHECK ("api_keys"."kind" in ('PERSONAL', 'SERVICE'));--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_kind" CHECK ("users"."kind" in ('PERSON', 'SERVICE'));--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_service_accounts" CHECK (("users"."kind" = 'PERSON' and "users"."created_by" is null)
        or ("users"."kind" = 'SERVICE' and "users"."password_hash" is null
          and "users"."platform_role" = 'USER' and "users"."account_status" <> 'PENDING'
          and "users"."email" = "users"."id"::text || '@service.invalid'));--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_of_service_accounts" CHECK (not "memberships"."is_service" or ("memberships"."role" <> 'OWNER' and "memberships"."status" = 'ACTIVE'));--> statement-breakpoint
ALTER TABLE "organizations" ADD CONSTRAINT "organizations_personal_keys" CHECK ("organizations"."personal_keys" in ('ALLOWED', 'REFUSED'));--> statement-breakpoint
ALTER TABLE "organizations" ADD CONSTRAINT "organizations_max_key_lifetime_days" CHECK ("organizations"."max_key_lifetime_days" between 1 and 365);--> statement-breakpoint
-- A key reaches an organization only as far as its key policy goes.
-- See docs/decisions/0068-api-keys.md.
CREATE OR REPLACE FUNCTION "prove_membership"(a_session uuid, a_user uuid, an_organization uuid, at timestamptz) RETURNS text
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  found_role text;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(authority_lock('account', a_user)),
    pg_advisory_xact_lock_shared(authority_lock('organization', an_organization)),
    pg_advisory_xact_lock_shared(authority_lock('member', an_organization, a_user));
  SELECT memberships.role INTO found_role
    FROM memberships, sessions
    WHERE memberships.organization_id = an_organization AND memberships.user_id = a_user
      AND memberships.status = 'ACTIVE'
      AND sessions.id = a_session AND sessions.user_id = a_user
      AND sessions.ended_at IS NULL AND sessions.expires_at > at;
  IF NOT FOUND THEN
    SELECT memberships.role INTO found_role
      FROM memberships, api_keys, api_key_organizations AS reached, organizations, users
      WHERE memberships.organization_id = an_organization AND memberships.user_id = a_user
        AND memberships.status = 'ACTIVE'
        AND api_keys.id = a_session AND api_keys.user_id = a_user AND api_keys.revoked_at IS NULL
        AND (api_keys.expires_at IS NULL OR api_keys.expires_at > at)
        AND reached.organization_id = an_organization AND reached.api_key_id = a_session
        AND organizations.id = an_organization
        AND (api_keys.kind = 'SERVICE' OR organizations.personal_keys = 'ALLOWED')
        AND (organizations.max_key_lifetime_days IS NULL
          OR api_keys.created_at + organizations.max_key_lifetime_days * interval '24 hours' > at)
        AND users.id = a_user AND users.account_status = 'VERIFIED';
  END IF;
  RETURN found_role;
END $$;
