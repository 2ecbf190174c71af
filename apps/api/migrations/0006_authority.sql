-- What a change proves of its request, and holds until its transaction ends. Row locks would not do: whoever ends
-- a session or a membership could be kept waiting for ever by requests that overlap, and a single statement that
-- waited would decide by what it saw before. Advisory locks queue fairly, and each query of a volatile function sees
-- what was committed before that query.
-- See docs/decisions/0052-authority-at-the-commit.md.

-- The key of a lock: an account, an organization, or a member of one.
CREATE FUNCTION "authority_lock"(kind text, subject uuid, member uuid DEFAULT NULL) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN hashtextextended(kind || ' ' || subject || coalesce(' ' || member, ''), 0);
--> statement-breakpoint
-- Whether a session is open. It stays so: whoever ends it takes the lock of its account first.
CREATE FUNCTION "prove_session"(a_session uuid, a_user uuid, at timestamptz) RETURNS boolean
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(authority_lock('account', a_user));
  RETURN EXISTS (
    SELECT FROM sessions
    WHERE id = a_session AND user_id = a_user AND ended_at IS NULL AND expires_at > at);
END $$;
--> statement-breakpoint
-- The role of an active member with an open session; null for anybody else. Both stay: whoever ends or lowers a
-- membership takes the lock of the member first, and whoever deletes the organization that of the organization.
CREATE FUNCTION "prove_membership"(a_session uuid, a_user uuid, an_organization uuid, at timestamptz) RETURNS text
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(authority_lock('account', a_user)),
    pg_advisory_xact_lock_shared(authority_lock('organization', an_organization)),
    pg_advisory_xact_lock_shared(authority_lock('member', an_organization, a_user));
  RETURN (
    SELECT role FROM memberships
    WHERE organization_id = an_organization AND user_id = a_user AND status = 'ACTIVE'
      AND EXISTS (
        SELECT FROM sessions
        WHERE id = a_session AND user_id = a_user AND ended_at IS NULL AND expires_at > at));
END $$;
