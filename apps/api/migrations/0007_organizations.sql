ALTER TABLE "invitations" ADD COLUMN "mail_requested_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "plans" ADD COLUMN "max_teams_per_account" integer;--> statement-breakpoint
CREATE INDEX "organizations_teams_by_owner" ON "organizations" USING btree ("owner_id") WHERE "organizations"."type" = 'TEAM' and "organizations"."deleted_at" is null;--> statement-breakpoint
-- Free of charge, an account gets so many teams. Who has more keeps them.
UPDATE "plans" SET "max_teams_per_account" = 20 WHERE "code" = 'FREE';--> statement-breakpoint
-- From now on whatever lowers an inviter revokes what they may not offer any more; this is what was lowered before.
UPDATE "invitations" SET "status" = 'REVOKED'
WHERE "status" = 'PENDING' AND NOT EXISTS (
	SELECT FROM "memberships" INNER JOIN "users" ON "users"."id" = "memberships"."user_id"
	WHERE "memberships"."organization_id" = "invitations"."organization_id"
		AND "memberships"."user_id" = "invitations"."invited_by"
		AND "memberships"."status" = 'ACTIVE' AND "users"."account_status" = 'VERIFIED'
		AND ("memberships"."role" = 'OWNER' OR ("memberships"."role" = 'ADMIN' AND "invitations"."role" <> 'OWNER'))
);
