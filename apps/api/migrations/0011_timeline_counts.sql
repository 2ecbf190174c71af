DROP INDEX "activities_of_organization";--> statement-breakpoint
CREATE INDEX "activities_of_organization" ON "activities" USING btree ("organization_id","created_at","id","action","actor_id");