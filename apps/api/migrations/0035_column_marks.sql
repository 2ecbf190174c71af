-- First of all, because whoever changes the order of a column locks its project before its tasks.
ALTER TABLE "projects" ADD COLUMN "column_marks" uuid[] DEFAULT array_fill(gen_random_uuid(), array[6]);--> statement-breakpoint
-- Waits for transactions that changed ranks without the marks below.
LOCK TABLE "tasks" IN SHARE ROW EXCLUSIVE MODE;--> statement-breakpoint
-- The trigger of 0031, so that the release before marks, too. Whenever a statement changes which ranks a column has, it
-- counts, and gives the column another mark. A random one: after a restoration or failover, a number would come again
-- for another order.
CREATE OR REPLACE FUNCTION "keep_task_counts"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changes refcursor;
  changed record;
  place integer;
BEGIN
  CASE TG_OP
    WHEN 'INSERT' THEN
      OPEN changes FOR
        SELECT organization_id, project_id, status, count(*)::integer AS difference FROM added
        GROUP BY organization_id, project_id, status ORDER BY organization_id, project_id;
    WHEN 'DELETE' THEN
      OPEN changes FOR
        SELECT organization_id, project_id, status, -count(*)::integer AS difference FROM removed
        GROUP BY organization_id, project_id, status ORDER BY organization_id, project_id;
    ELSE
      OPEN changes FOR
        SELECT organization_id, project_id, status, sum(one)::integer AS difference FROM (
          SELECT organization_id, project_id, status, sum(one) AS one FROM (
            SELECT organization_id, project_id, status, rank, 1 AS one FROM added
            UNION ALL
            SELECT organization_id, project_id, status, rank, -1 FROM removed) AS rows
          GROUP BY organization_id, project_id, status, rank HAVING sum(one) <> 0) AS ranks
        GROUP BY organization_id, project_id, status ORDER BY organization_id, project_id;
  END CASE;
  LOOP
    FETCH changes INTO changed;
    EXIT WHEN NOT FOUND;
    place = array_position(ARRAY['BACKLOG', 'TODO', 'IN_PROGRESS', 'IN_REVIEW', 'DONE', 'CANCELLED'], changed.status);
    UPDATE projects
    SET task_counts[place] = task_counts[place] + changed.difference, column_marks[place] = gen_random_uuid()
    WHERE organization_id = changed.organization_id AND id = changed.project_id;
  END LOOP;
  RETURN NULL;
END;
$$;
