-- The two changes that the history admits: what is about a deleted account loses its text, and rows that were restored from
-- another server, whose transaction this one has not begun, become part of the present one. Nothing else of them changes.
CREATE OR REPLACE FUNCTION "refuse_change_of_activities"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF OLD.transaction_id >= pg_snapshot_xmax(pg_current_snapshot())
      AND NEW.transaction_id = pg_current_xact_id()
      AND to_jsonb(NEW) - 'transaction_id' = to_jsonb(OLD) - 'transaction_id'
    THEN
      RETURN NEW;
    END IF;
    IF NEW.resource_name = ''
      AND (NEW.changes = '[]' OR NEW.changes = OLD.changes)
      AND (NEW.metadata = '{}' OR NEW.metadata = OLD.metadata)
      AND to_jsonb(NEW) - '{resource_name,changes,metadata}'::text[] = to_jsonb(OLD) - '{resource_name,changes,metadata}'::text[]
      AND EXISTS (SELECT FROM erased_subjects
        WHERE id IN (OLD.resource_id, (to_jsonb(OLD) ->> 'organization_id')::uuid))
    THEN
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION 'Activities are append-only: % is refused.', TG_OP USING ERRCODE = 'restrict_violation';
END;
$$;
