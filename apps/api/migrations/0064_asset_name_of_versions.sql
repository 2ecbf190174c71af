-- The activity of a version names its asset, not the file that was uploaded.
CREATE OR REPLACE FUNCTION "save_upload"(
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
  place uuid;
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
  place = upload.collection_id;
  IF upload.target_asset_id IS NOT NULL THEN
    SELECT assets.collection_id INTO place FROM assets
      WHERE assets.organization_id = an_organization AND assets.id = upload.target_asset_id;
  END IF;
  PERFORM FROM collections
    WHERE collections.organization_id = an_organization AND collections.id = place
      AND collections.deleted_at IS NULL
    FOR SHARE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  author = upload.user_id;
  IF upload.target_asset_id IS NOT NULL THEN
    SELECT assets.current_version, assets.created_by INTO versions, author FROM assets
      WHERE assets.organization_id = an_organization AND assets.id = upload.target_asset_id
        AND assets.collection_id = place AND assets.deleted_at IS NULL
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
  INSERT INTO stored_objects (organization_id, id, key, size_bytes, e_tag, created_at)
    VALUES (an_organization, an_object, upload.key, size_bytes, an_e_tag, at);
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
      upload.user_id, an_organization, 'asset', saved.id, saved.name, '[]',
      jsonb_strip_nulls(jsonb_build_object('uploadId', upload.id, 'versionNumber', saved.current_version,
        'apiKeyId', an_api_key)),
      a_request, at);
  is_favorite = upload.target_asset_id IS NOT NULL AND EXISTS (
    SELECT FROM asset_favorites
    WHERE asset_favorites.organization_id = an_organization AND asset_favorites.asset_id = saved.id
      AND asset_favorites.user_id = upload.user_id);
  RETURN NEXT;
END $$;
