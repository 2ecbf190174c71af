-- On a distributed database, the table that a trigger sees is a shard: its name has a number behind it.
CREATE OR REPLACE FUNCTION "keep_library_counts"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changes refcursor;
  changed record;
BEGIN
  CASE TG_OP
    WHEN 'INSERT' THEN
      OPEN changes FOR
        SELECT organization_id, count(*)::integer AS difference FROM added
        WHERE deleted_at IS NULL GROUP BY organization_id ORDER BY organization_id;
    WHEN 'DELETE' THEN
      OPEN changes FOR
        SELECT organization_id, -count(*)::integer AS difference FROM removed
        WHERE deleted_at IS NULL GROUP BY organization_id ORDER BY organization_id;
    ELSE
      OPEN changes FOR
        SELECT organization_id, sum(one)::integer AS difference FROM (
          SELECT organization_id, 1 AS one FROM added WHERE deleted_at IS NULL
          UNION ALL
          SELECT organization_id, -1 FROM removed WHERE deleted_at IS NULL) AS rows
        GROUP BY organization_id HAVING sum(one) <> 0 ORDER BY organization_id;
  END CASE;
  LOOP
    FETCH changes INTO changed;
    EXIT WHEN NOT FOUND;
    -- Most have a row, and a refused insert costs more than finding it.
    IF changed.difference > 0 AND NOT EXISTS (
      SELECT FROM organization_usage WHERE organization_id = changed.organization_id) THEN
      INSERT INTO organization_usage (organization_id) VALUES (changed.organization_id) ON CONFLICT DO NOTHING;
    END IF;
    IF starts_with(TG_TABLE_NAME, 'assets') THEN
      UPDATE organization_usage SET asset_count = asset_count + changed.difference
      WHERE organization_id = changed.organization_id;
    ELSE
      UPDATE organization_usage SET collection_count = collection_count + changed.difference
      WHERE organization_id = changed.organization_id;
    END IF;
  END LOOP;
  RETURN NULL;
END;
$$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION "keep_task_counts"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changes refcursor;
  changed record;
  place integer;
  mark uuid;
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
    -- Citus refuses what is random in a change of a distributed table.
    mark = gen_random_uuid();
    UPDATE projects
    SET task_counts[place] = task_counts[place] + changed.difference, column_marks[place] = mark
    WHERE organization_id = changed.organization_id AND id = changed.project_id;
  END LOOP;
  RETURN NULL;
END;
$$;
