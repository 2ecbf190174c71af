-- The proof of each change costs less: keys are hashed as they are, without a text made of them first, and session and
-- membership are found by one join. The function that makes keys stays the only one, so that processes of before and
-- after agree on them.
-- See docs/decisions/0052-authority-at-the-commit.md.
CREATE OR REPLACE FUNCTION "authority_lock"(kind text, subject uuid, member uuid DEFAULT NULL) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN member IS NULL THEN uuid_hash_extended(subject, hashtextextended(kind, 0))
  ELSE uuid_hash_extended(subject, uuid_hash_extended(member, hashtextextended(kind, 0))) END;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION "prove_membership"(a_session uuid, a_user uuid, an_organization uuid, at timestamptz) RETURNS text
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  found_role text;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(authority_lock('account', a_user)),
    pg_advisory_xact_lock_shared(authority_lock('organization', an_organization)),
    pg_advisory_xact_lock_shared(authority_lock('member', an_organization, a_user));
  SELECT memberships.role INTO found_role
    FROM memberships, sessions
    WHERE memberships.organization_id = an_organization AND memberships.user_id = a_user
      AND memberships.status = 'ACTIVE'
      AND sessions.id = a_session AND sessions.user_id = a_user
      AND sessions.ended_at IS NULL AND sessions.expires_at > at;
  RETURN found_role;
END $$;
