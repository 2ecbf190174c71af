-- Every mutation of an organization locked its row for this. Rows of organizations are never removed.
ALTER TABLE "activities" DROP CONSTRAINT "activities_organization_id_organizations_id_fk";--> statement-breakpoint
-- The partition of what was recorded before there were partitions may have a constraint of its own.
ALTER TABLE "activities_before" DROP CONSTRAINT IF EXISTS "activities_before_organization_id_fk";
