ALTER TABLE "invitations" ADD COLUMN "account_id" uuid;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_account_id_users_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
UPDATE "invitations" SET "account_id" = "activities"."actor_id" FROM "activities"
WHERE "activities"."organization_id" = "invitations"."organization_id" AND "activities"."action" = 'member.join'
	AND "activities"."metadata" ->> 'invitationId' = "invitations"."id"::text;
