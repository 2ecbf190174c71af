CREATE TABLE "invitation_tokens" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"invitation_id" uuid NOT NULL,
	"issued_at" timestamp (3) with time zone NOT NULL,
	"voided_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "invitations" DROP CONSTRAINT "invitations_tokenHash_unique";--> statement-breakpoint
ALTER TABLE "invitation_tokens" ADD CONSTRAINT "invitation_tokens_of_invitation" FOREIGN KEY ("organization_id","invitation_id") REFERENCES "public"."invitations"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "invitation_tokens_by_invitation" ON "invitation_tokens" USING btree ("organization_id","invitation_id");--> statement-breakpoint
ALTER TABLE "invitations" DROP COLUMN "token_hash";