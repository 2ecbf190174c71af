-- Decimal units, as the app shows the limits. Texts that an operator has changed stay.
UPDATE "plans" SET "features" = '["Everything in Free", "1.1 TB of storage", "Files up to 53.7 GB"]'
	WHERE "features" = '["Everything in Free", "1 TiB of storage", "Files up to 50 GiB"]';--> statement-breakpoint
UPDATE "plans" SET "features" = '["Everything in Pro", "11 TB of storage", "Members, projects and versions without limit"]'
	WHERE "features" = '["Everything in Pro", "10 TiB of storage", "Members, projects and versions without limit"]';
