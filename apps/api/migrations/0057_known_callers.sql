-- Like prove_membership, for a caller who was not looked up: also null if the account or the organization has other versions than
-- those that an earlier look-up read, or for an API key the key. Only one Postgres is asked this, so that a statement may name
-- tables of organizations and of accounts. See docs/decisions/0116-known-callers.md.
CREATE FUNCTION "prove_known_member"(a_credential uuid, a_user uuid, an_organization uuid, at timestamptz, versions text) RETURNS text
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  found_role text;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(authority_lock('account', a_user)),
    pg_advisory_xact_lock_shared(authority_lock('organization', an_organization)),
    pg_advisory_xact_lock_shared(authority_lock('member', an_organization, a_user));
  SELECT memberships.role INTO found_role FROM memberships, sessions, users, organizations
    WHERE memberships.organization_id = an_organization AND memberships.user_id = a_user
      AND memberships.status = 'ACTIVE'
      AND sessions.id = a_credential AND sessions.user_id = a_user
      AND sessions.ended_at IS NULL AND sessions.expires_at > at
      AND users.id = a_user AND organizations.id = an_organization
      AND concat_ws(' ', users.xmin, organizations.xmin) = versions;
  IF FOUND THEN
    RETURN found_role;
  END IF;
  PERFORM FROM api_keys, users, organizations
    WHERE api_keys.id = a_credential AND users.id = a_user AND organizations.id = an_organization
      AND concat_ws(' ', users.xmin, organizations.xmin, api_keys.xmin) = versions;
  IF FOUND THEN
    RETURN prove_membership(a_credential, a_user, an_organization, at);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- With the versions of a caller who was not looked up; null for one who was.
CREATE FUNCTION "post_comment"(
  a_credential uuid, a_user uuid, an_organization uuid, at timestamptz, allowed_roles text[],
  a_task uuid, a_comment uuid, a_body text, posted_at timestamptz,
  an_activity uuid, mentioned jsonb, an_api_key uuid, a_request text, versions text
) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  proven_role text;
  task_title text;
BEGIN
  IF versions IS NULL THEN
    proven_role = prove_membership(a_credential, a_user, an_organization, at);
  ELSE
    proven_role = prove_known_member(a_credential, a_user, an_organization, at, versions);
  END IF;
  IF (proven_role = ANY (allowed_roles)) IS NOT TRUE THEN
    RETURN false;
  END IF;
  -- Waits for a concurrent deletion of the task and then finds no row: without the lock the foreign key would refuse
  -- the comment with an error.
  SELECT tasks.title INTO task_title FROM tasks
    WHERE tasks.organization_id = an_organization AND tasks.id = a_task FOR KEY SHARE;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  INSERT INTO comments (organization_id, id, task_id, author_id, body, created_at)
    VALUES (an_organization, a_comment, a_task, a_user, a_body, posted_at);
  INSERT INTO activities (id, action, actor_id, organization_id, resource_type, resource_id, resource_name, changes,
      metadata, request_id, created_at)
    VALUES (an_activity, 'comment.create', a_user, an_organization, 'comment', a_comment, task_title, '[]',
      jsonb_strip_nulls(jsonb_build_object('taskId', a_task, 'apiKeyId', an_api_key)) || mentioned, a_request, posted_at);
  RETURN true;
END $$;
--> statement-breakpoint
-- For processes of the release before.
CREATE OR REPLACE FUNCTION "post_comment"(
  a_credential uuid, a_user uuid, an_organization uuid, at timestamptz, allowed_roles text[],
  a_task uuid, a_comment uuid, a_body text, posted_at timestamptz,
  an_activity uuid, mentioned jsonb, an_api_key uuid, a_request text
) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  RETURN post_comment(a_credential, a_user, an_organization, at, allowed_roles, a_task, a_comment, a_body, posted_at,
    an_activity, mentioned, an_api_key, a_request, NULL);
END $$;
