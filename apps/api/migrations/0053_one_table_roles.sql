-- The statement of one table and its values, which Citus sends on without planning it at each call. The one of a scalar
-- subquery was planned with each request. See docs/decisions/0111-single-requests-on-citus.md.
CREATE OR REPLACE FUNCTION "active_role"(an_organization uuid, a_user uuid) RETURNS text
LANGUAGE plpgsql STABLE AS $$
DECLARE
  found_role text;
BEGIN
  SELECT memberships.role INTO found_role FROM memberships
    WHERE memberships.organization_id = an_organization AND memberships.user_id = a_user
      AND memberships.status = 'ACTIVE';
  RETURN found_role;
END $$;
