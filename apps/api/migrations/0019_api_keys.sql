CREATE TABLE "api_key_organizations" (
	"organization_id" uuid NOT NULL,
	"api_key_id" uuid NOT NULL,
	CONSTRAINT "api_key_organizations_organization_id_api_key_id_pk" PRIMARY KEY("organization_id","api_key_id")
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"name" text NOT NULL,
	"key_hash" "bytea" NOT NULL,
	"prefix" text NOT NULL,
	"last_four" text NOT NULL,
	"scopes" text[] NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone,
	"last_used_ip" text,
	"revoked_at" timestamp (3) with time zone,
	"revoked_because" text,
	"replaced_by" uuid,
	"expiry_notices" smallint DEFAULT 0 NOT NULL,
	CONSTRAINT "api_keys_keyHash_unique" UNIQUE("key_hash"),
	CONSTRAINT "api_keys_key_hash" CHECK (octet_length("api_keys"."key_hash") = 32),
	CONSTRAINT "api_keys_revoked_because" CHECK ("api_keys"."revoked_because" in ('OWNER', 'LEAK')),
	CONSTRAINT "api_keys_revoked_for_a_reason" CHECK (("api_keys"."revoked_at" is null) = ("api_keys"."revoked_because" is null))
);
--> statement-breakpoint
ALTER TABLE "api_key_organizations" ADD CONSTRAINT "api_key_organizations_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_key_organizations" ADD CONSTRAINT "api_key_organizations_api_key_id_api_keys_id_fk" FOREIGN KEY ("api_key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_key_organizations_by_key" ON "api_key_organizations" USING btree ("api_key_id","organization_id");--> statement-breakpoint
CREATE INDEX "api_keys_by_user" ON "api_keys" USING btree ("user_id","created_at","id");--> statement-breakpoint
CREATE INDEX "api_keys_expiring" ON "api_keys" USING btree ("expires_at") WHERE "api_keys"."revoked_at" is null;--> statement-breakpoint
CREATE INDEX "activities_of_api_key" ON "activities" USING btree (("metadata" ->> 'apiKeyId'),"created_at","id") WHERE "activities"."metadata" ->> 'apiKeyId' is not null;--> statement-breakpoint
-- A credential is a session or an API key; the parameter keeps its name for processes of before, which pass sessions only.
-- A key works while its account does, and only where it is listed. Keys are looked for where no session was found, so that
-- changes of people cost what they did.
-- See docs/decisions/0052-authority-at-the-commit.md and 0068-api-keys.md.
CREATE OR REPLACE FUNCTION "prove_session"(a_session uuid, a_user uuid, at timestamptz) RETURNS boolean
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(authority_lock('account', a_user));
  RETURN EXISTS (
    SELECT FROM sessions
    WHERE id = a_session AND user_id = a_user AND ended_at IS NULL AND expires_at > at)
    OR EXISTS (
      SELECT FROM api_keys, users
      WHERE api_keys.id = a_session AND api_keys.user_id = a_user AND api_keys.revoked_at IS NULL
        AND (api_keys.expires_at IS NULL OR api_keys.expires_at > at)
        AND users.id = a_user AND users.account_status = 'VERIFIED');
END $$;
--> statement-breakpoint
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
      FROM memberships, api_keys, api_key_organizations AS reached, users
      WHERE memberships.organization_id = an_organization AND memberships.user_id = a_user
        AND memberships.status = 'ACTIVE'
        AND api_keys.id = a_session AND api_keys.user_id = a_user AND api_keys.revoked_at IS NULL
        AND (api_keys.expires_at IS NULL OR api_keys.expires_at > at)
        AND reached.organization_id = an_organization AND reached.api_key_id = a_session
        AND users.id = a_user AND users.account_status = 'VERIFIED';
  END IF;
  RETURN found_role;
END $$;
