-- The one change that the history admits: what is about a deleted account loses its text, and nothing else.
CREATE OR REPLACE FUNCTION "refuse_change_of_activities"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF NEW.resource_name = ''
      AND (NEW.changes = '[]' OR NEW.changes = OLD.changes)
      AND (NEW.metadata = '{}' OR NEW.metadata = OLD.metadata)
      AND to_jsonb(NEW) - '{resource_name,changes,metadata}'::text[] = to_jsonb(OLD) - '{resource_name,changes,metadata}'::text[]
      AND EXISTS (SELECT FROM erased_subjects WHERE id IN (OLD.resource_id, OLD.organization_id))
    THEN
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION 'Activities are append-only: % is refused.', TG_OP USING ERRCODE = 'restrict_violation';
END;
$$;--> statement-breakpoint
-- Erases the text of activities about a subject, or in an organization that is one, as the owner of the table: the service
-- may not update it. Members and invitations keep what has ids and roles only, which the checks of the history need.
CREATE FUNCTION "erase_activities"("subject" uuid, "at_most" integer) RETURNS integer LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  erased integer;
BEGIN
  WITH due AS (
    SELECT id, created_at FROM activities
    WHERE (resource_id = subject OR organization_id = subject)
      AND (resource_name <> ''
        OR resource_type NOT IN ('member', 'invitation') AND (changes <> '[]' OR metadata <> '{}'))
    LIMIT at_most)
  UPDATE activities SET
    resource_name = '',
    changes = CASE WHEN resource_type IN ('member', 'invitation') THEN changes ELSE '[]' END,
    metadata = CASE WHEN resource_type IN ('member', 'invitation') THEN metadata ELSE '{}' END
  FROM due WHERE activities.id = due.id AND activities.created_at = due.created_at;
  GET DIAGNOSTICS erased = ROW_COUNT;
  RETURN erased;
END;
$$;--> statement-breakpoint
REVOKE ALL ON FUNCTION "erase_activities"(uuid, integer) FROM PUBLIC;
