ALTER TABLE "organizations" ADD COLUMN "public_links" text;--> statement-breakpoint
CREATE INDEX "uploads_active_by_user" ON "uploads" USING btree ("user_id","organization_id") WHERE "uploads"."status" = 'ACTIVE';--> statement-breakpoint
ALTER TABLE "organizations" ADD CONSTRAINT "organizations_public_links" CHECK ("organizations"."public_links" in ('OFF_FOR_NEW', 'ON_FOR_NEW', 'FORBIDDEN'));--> statement-breakpoint
-- Links that are on stay as they are. One that was switched off gets a new address, as it does from now on: whoever
-- has the old one must not find the file again when the link is switched on. The letters are chosen by 32 random bytes.
UPDATE "assets" SET "short_code" = (
  SELECT string_agg(substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', 1 + get_byte(random.bytes, place) % 62, 1), '')
  FROM (SELECT sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send("assets"."id")) AS bytes) random, generate_series(0, 15) place
) WHERE NOT "public_link_enabled";
