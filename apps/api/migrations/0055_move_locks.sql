-- The locks of a move, the project's before the task's: another order would deadlock. One call, whose statements of one
-- table each Citus sends on without planning them. See docs/decisions/0111-single-requests-on-citus.md.
CREATE FUNCTION "lock_for_move"(an_organization uuid, a_task uuid) RETURNS boolean
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  its_project uuid;
BEGIN
  SELECT tasks.project_id INTO its_project FROM tasks
    WHERE tasks.organization_id = an_organization AND tasks.id = a_task;
  PERFORM FROM projects
    WHERE projects.organization_id = an_organization AND projects.id = its_project FOR NO KEY UPDATE;
  PERFORM FROM tasks
    WHERE tasks.organization_id = an_organization AND tasks.id = a_task FOR NO KEY UPDATE;
  RETURN FOUND;
END $$;
