CREATE TABLE "committed_responses" (
	"organization_id" uuid NOT NULL,
	"scope" text NOT NULL,
	"operation" text NOT NULL,
	"key" text NOT NULL,
	"payload_hash" "bytea" NOT NULL,
	"status" smallint NOT NULL,
	"headers" jsonb NOT NULL,
	"body" "bytea" NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "committed_responses_organization_id_scope_operation_key_pk" PRIMARY KEY("organization_id","scope","operation","key")
);
--> statement-breakpoint
CREATE INDEX "committed_responses_by_expiry" ON "committed_responses" USING btree ("expires_at");--> statement-breakpoint
-- One Postgres commits a change and the response for its idempotency key together. `operator distribute` replaces these
-- functions, for changes that are on another server than the key.
-- Tells whether a change was committed whose commit was not noted with the key.
CREATE FUNCTION "is_committed"("an_organization" uuid, "claimed" idempotency_keys, "at" timestamptz) RETURNS boolean LANGUAGE sql VOLATILE AS $$
  SELECT false
$$;--> statement-breakpoint
-- Stores a response with the rows of the organization that changes; without one, nothing. False: another attempt has
-- committed one.
CREATE FUNCTION "commit_response"("an_organization" uuid, "settled" idempotency_keys, "at" timestamptz) RETURNS boolean LANGUAGE sql VOLATILE AS $$
  SELECT true
$$;
