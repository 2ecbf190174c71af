-- API keys lose an organization together with the membership. Those of members who left before the release that does so would
-- reach it again after another invitation.
DELETE FROM "api_key_organizations" AS "reached" USING "api_keys"
WHERE "api_keys"."id" = "reached"."api_key_id" AND NOT EXISTS (
	SELECT FROM "memberships"
	WHERE "memberships"."organization_id" = "reached"."organization_id" AND "memberships"."user_id" = "api_keys"."user_id"
);
