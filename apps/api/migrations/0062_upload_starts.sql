-- Starts an upload for its whole lifetime; before, its row is a short reservation, which ends by itself when the start fails.
-- The function of the release before, without an end, starts those whose rows have their whole lifetime already.
CREATE FUNCTION "start_upload"(
  a_credential uuid, a_user uuid, an_organization uuid, at timestamptz, allowed_roles text[],
  an_upload uuid, a_storage_upload text, an_end timestamptz, an_activity uuid, an_api_key uuid, a_request text
) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  started uploads;
BEGIN
  IF (prove_membership(a_credential, a_user, an_organization, at) = ANY (allowed_roles)) IS NOT TRUE THEN
    RETURN false;
  END IF;
  -- What an expired one reserved may belong to another by now.
  UPDATE uploads SET storage_upload_id = a_storage_upload, expires_at = an_end
    WHERE uploads.organization_id = an_organization AND uploads.id = an_upload AND uploads.status = 'ACTIVE'
      AND uploads.expires_at > at
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
