CREATE FUNCTION "refuse_change_of_activities"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'Activities are append-only: % is refused.', TG_OP USING ERRCODE = 'restrict_violation';
END;
$$;--> statement-breakpoint
CREATE TRIGGER "activities_stay_as_they_are" BEFORE UPDATE OR DELETE ON "activities" FOR EACH ROW EXECUTE FUNCTION "refuse_change_of_activities"();--> statement-breakpoint
CREATE TRIGGER "activities_are_not_emptied" BEFORE TRUNCATE ON "activities" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change_of_activities"();--> statement-breakpoint
ALTER TABLE "activities" ENABLE ALWAYS TRIGGER "activities_stay_as_they_are";--> statement-breakpoint
ALTER TABLE "activities" ENABLE ALWAYS TRIGGER "activities_are_not_emptied";
