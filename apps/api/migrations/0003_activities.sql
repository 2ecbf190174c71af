DROP INDEX "activities_newest_of_organization";--> statement-breakpoint
DROP INDEX "activities_newest_of_actor";--> statement-breakpoint
DROP INDEX "activities_newest_of_resource";--> statement-breakpoint
CREATE INDEX "activities_of_organization" ON "activities" USING btree ("organization_id","created_at","id");--> statement-breakpoint
CREATE INDEX "activities_of_action_in_organization" ON "activities" USING btree ("organization_id","action","created_at","id");--> statement-breakpoint
CREATE INDEX "activities_of_actor" ON "activities" USING btree ("actor_id","created_at","id");--> statement-breakpoint
CREATE INDEX "activities_of_resource" ON "activities" USING btree ("resource_id","created_at","id");--> statement-breakpoint
CREATE INDEX "activities_newest" ON "activities" USING btree ("created_at" NULLS FIRST,"id" NULLS FIRST);--> statement-breakpoint
CREATE INDEX "activities_of_action" ON "activities" USING btree ("action","created_at" NULLS FIRST,"id" NULLS FIRST);--> statement-breakpoint
ALTER TABLE "activities" ADD CONSTRAINT "activities_action_of_resource_type" CHECK (split_part("activities"."action", '.', 1) = "activities"."resource_type");