-- Each statement names tables of organizations, or of accounts, but not both: a distributed database has them on
-- different servers. See docs/decisions/0104-statements-on-both-engines.md.
CREATE OR REPLACE FUNCTION "prove_membership"(a_session uuid, a_user uuid, an_organization uuid, at timestamptz) RETURNS text
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  found_role text;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(authority_lock('account', a_user)),
    pg_advisory_xact_lock_shared(authority_lock('organization', an_organization)),
    pg_advisory_xact_lock_shared(authority_lock('member', an_organization, a_user));
  SELECT memberships.role INTO found_role FROM memberships
    WHERE memberships.organization_id = an_organization AND memberships.user_id = a_user
      AND memberships.status = 'ACTIVE';
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  PERFORM FROM sessions
    WHERE sessions.id = a_session AND sessions.user_id = a_user
      AND sessions.ended_at IS NULL AND sessions.expires_at > at;
  IF FOUND THEN
    RETURN found_role;
  END IF;
  PERFORM FROM api_keys, api_key_organizations AS reached, organizations, users
    WHERE api_keys.id = a_session AND api_keys.user_id = a_user AND api_keys.revoked_at IS NULL
      AND (api_keys.expires_at IS NULL OR api_keys.expires_at > at)
      AND reached.organization_id = an_organization AND reached.api_key_id = a_session
      AND organizations.id = an_organization
      AND (api_keys.kind = 'SERVICE' OR organizations.personal_keys = 'ALLOWED')
      AND (organizations.max_key_lifetime_days IS NULL
        OR api_keys.created_at + organizations.max_key_lifetime_days * interval '24 hours' > at)
      AND users.id = a_user AND users.account_status = 'VERIFIED';
  IF FOUND THEN
    RETURN found_role;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- The role of an active member; null for anyone else. A function, so that a statement with tables of accounts may have it.
-- Not in SQL, which would become a part of that statement.
CREATE FUNCTION "active_role"(an_organization uuid, a_user uuid) RETURNS text
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT memberships.role FROM memberships
    WHERE memberships.organization_id = an_organization AND memberships.user_id = a_user
      AND memberships.status = 'ACTIVE');
END $$;
--> statement-breakpoint
-- An account for a statement that opens or prolongs a session: what ends its sessions, or changes who may sign in, holds
-- the same lock exclusively.
CREATE FUNCTION "account_to_sign_in"(a_user uuid)
RETURNS TABLE (id uuid, email text, account_status text, password_hash text, has_second_factor boolean, mail_sign_ins boolean)
LANGUAGE plpgsql VOLATILE ROWS 1 AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(authority_lock('account', a_user));
  RETURN QUERY
    SELECT users.id, users.email, users.account_status, users.password_hash, users.has_second_factor, users.mail_sign_ins
    FROM users WHERE users.id = a_user;
END $$;
--> statement-breakpoint
CREATE FUNCTION "post_comment"(
  a_credential uuid, a_user uuid, an_organization uuid, at timestamptz, allowed_roles text[],
  a_task uuid, a_comment uuid, a_body text, posted_at timestamptz,
  an_activity uuid, mentioned jsonb, an_api_key uuid, a_request text
) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  task_title text;
BEGIN
  IF (prove_membership(a_credential, a_user, an_organization, at) = ANY (allowed_roles)) IS NOT TRUE THEN
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
CREATE FUNCTION "start_upload"(
  a_credential uuid, a_user uuid, an_organization uuid, at timestamptz, allowed_roles text[],
  an_upload uuid, a_storage_upload text, an_activity uuid, an_api_key uuid, a_request text
) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  started uploads;
BEGIN
  IF (prove_membership(a_credential, a_user, an_organization, at) = ANY (allowed_roles)) IS NOT TRUE THEN
    RETURN false;
  END IF;
  UPDATE uploads SET storage_upload_id = a_storage_upload
    WHERE uploads.organization_id = an_organization AND uploads.id = an_upload AND uploads.status = 'ACTIVE'
    RETURNING uploads.* INTO started;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  INSERT INTO activities (id, action, actor_id, organization_id, resource_type, resource_id, resource_name, changes,
      metadata, request_id, created_at)
    VALUES (an_activity, 'upload.initiate', started.user_id, an_organization, 'upload', an_upload, started.file_name, '[]',
      jsonb_strip_nulls(jsonb_build_object('apiKeyId', an_api_key)), a_request, started.created_at);
  RETURN true;
END $$;
--> statement-breakpoint
-- Saves an upload as an asset, or as a version of one. Rows are locked in the order of all other writers: upload,
-- collection, asset, usage. Each statement sees what was committed while the one before waited. Nothing is written
-- before all is decided. Without a credential the service finishes an upload that its user has completed.
CREATE FUNCTION "save_upload"(
  a_credential uuid, a_user uuid, an_organization uuid, at timestamptz, allowed_roles text[],
  roles_for_all text[], roles_for_own text[], an_upload uuid,
  size_bytes bigint, an_e_tag text, a_folded_name text, an_asset uuid, a_short_code text, an_object uuid,
  an_activity uuid, an_api_key uuid, a_request text,
  OUT saved assets, OUT is_favorite boolean
) RETURNS SETOF record LANGUAGE plpgsql VOLATILE ROWS 1 AS $$
DECLARE
  proven_role text;
  uploader_role text;
  upload uploads;
  plan record;
  versions integer = 0;
  author uuid;
BEGIN
  IF a_credential IS NOT NULL THEN
    proven_role = prove_membership(a_credential, a_user, an_organization, at);
    IF (proven_role = ANY (allowed_roles)) IS NOT TRUE THEN
      RETURN;
    END IF;
  END IF;
  SELECT uploads.* INTO upload FROM uploads
    WHERE uploads.organization_id = an_organization AND uploads.id = an_upload AND uploads.status = 'ACTIVE'
    FOR UPDATE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  SELECT memberships.role INTO uploader_role FROM memberships
    WHERE memberships.organization_id = an_organization AND memberships.user_id = upload.user_id
      AND memberships.status = 'ACTIVE';
  IF NOT FOUND THEN
    RETURN;
  END IF;
  uploader_role = coalesce(proven_role, uploader_role);
  PERFORM FROM collections
    WHERE collections.organization_id = an_organization AND collections.id = upload.collection_id
      AND collections.deleted_at IS NULL
    FOR SHARE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  author = upload.user_id;
  IF upload.target_asset_id IS NOT NULL THEN
    SELECT assets.current_version, assets.created_by INTO versions, author FROM assets
      WHERE assets.organization_id = an_organization AND assets.id = upload.target_asset_id
        AND assets.deleted_at IS NULL
      FOR NO KEY UPDATE;
    IF NOT FOUND THEN
      RETURN;
    END IF;
  END IF;
  IF (uploader_role = ANY (roles_for_all) OR uploader_role = ANY (roles_for_own) AND author = upload.user_id) IS NOT TRUE
  THEN
    RETURN;
  END IF;
  SELECT plans.max_storage_bytes, plans.max_versions_per_asset,
      coalesce(organizations.public_links, CASE organizations.type WHEN 'PERSONAL' THEN 'ON_FOR_NEW' ELSE 'OFF_FOR_NEW' END)
        = 'ON_FOR_NEW' AS starts_public
    INTO plan
    FROM organizations JOIN plans ON plans.code = organizations.plan_code
    WHERE organizations.id = an_organization;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  -- The versions of an asset are numbered without gaps: its current one is their count.
  IF versions >= plan.max_versions_per_asset THEN
    RETURN;
  END IF;
  UPDATE organization_usage SET storage_bytes = organization_usage.storage_bytes + size_bytes
    WHERE organization_usage.organization_id = an_organization
      AND (plan.max_storage_bytes IS NULL OR organization_usage.storage_bytes + size_bytes <= plan.max_storage_bytes);
  IF NOT FOUND THEN
    RETURN;
  END IF;
  INSERT INTO stored_objects (id, key, size_bytes, e_tag, created_at)
    VALUES (an_object, upload.key, size_bytes, an_e_tag, at);
  IF upload.target_asset_id IS NULL THEN
    INSERT INTO assets (id, organization_id, collection_id, name, name_folded, content_type, file_size_bytes,
        current_version, short_code, public_link_enabled, created_by, created_at, updated_at)
      VALUES (an_asset, an_organization, upload.collection_id, upload.file_name, a_folded_name, upload.content_type,
        size_bytes, 1, a_short_code, plan.starts_public, upload.user_id, at, at)
      RETURNING assets.* INTO saved;
  ELSE
    UPDATE assets
      SET content_type = upload.content_type, file_size_bytes = size_bytes, current_version = versions + 1, updated_at = at
      WHERE assets.organization_id = an_organization AND assets.id = upload.target_asset_id
      RETURNING assets.* INTO saved;
  END IF;
  INSERT INTO asset_versions (organization_id, asset_id, version_number, stored_object_id, content_type, created_by,
      created_at)
    VALUES (an_organization, saved.id, saved.current_version, an_object, upload.content_type, upload.user_id, at);
  UPDATE uploads SET status = 'COMPLETED', asset_id = saved.id
    WHERE uploads.organization_id = an_organization AND uploads.id = an_upload;
  INSERT INTO activities (id, action, actor_id, organization_id, resource_type, resource_id, resource_name, changes,
      metadata, request_id, created_at)
    -- Only the uploader can request the completion, even if the service finishes it.
    VALUES (an_activity, CASE WHEN upload.target_asset_id IS NULL THEN 'asset.create' ELSE 'asset.add_version' END,
      upload.user_id, an_organization, 'asset', saved.id, upload.file_name, '[]',
      jsonb_strip_nulls(jsonb_build_object('uploadId', upload.id, 'versionNumber', saved.current_version,
        'apiKeyId', an_api_key)),
      a_request, at);
  is_favorite = upload.target_asset_id IS NOT NULL AND EXISTS (
    SELECT FROM asset_favorites
    WHERE asset_favorites.organization_id = an_organization AND asset_favorites.asset_id = saved.id
      AND asset_favorites.user_id = upload.user_id);
  RETURN NEXT;
END $$;
