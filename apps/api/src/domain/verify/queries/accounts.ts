import { emailUndoDays } from '@atelier/contract';
import { sql } from 'drizzle-orm';
import { readApart, type Check } from './check.ts';

/** Accounts, organizations, sessions and tokens. */
export const accountChecks: readonly Check[] = [
  {
    name: 'personal-organizations',
    claim:
      'Every person has one personal organization, with itself as the only member, until the account is deleted',
    violations: sql`
      select 'user ' || users.id as subject
      from users
      cross join lateral (
        select count(*) from organizations
        where organizations.owner_id = users.id and organizations.type = 'PERSONAL'
          and organizations.deleted_at is null) as personal
      where users.kind = 'PERSON' and case users.account_status
        when 'DELETED' then personal.count > 0 when 'DELETING' then personal.count > 1
        else personal.count <> 1 end
      union all
      select 'organization ' || organizations.id
      from organizations
      left join memberships on memberships.organization_id = organizations.id
      where organizations.type = 'PERSONAL' and organizations.deleted_at is null
      group by organizations.id
      having count(memberships.id) <> 1
        or not bool_and(memberships.user_id = organizations.owner_id
          and memberships.role = 'OWNER' and memberships.status = 'ACTIVE')`,
  },
  {
    name: 'team-owners',
    claim: 'Every team has an active owner, and a deleted one no members',
    violations: sql`
      select 'organization ' || organizations.id as subject
      from organizations
      left join memberships on memberships.organization_id = organizations.id
      where organizations.type = 'TEAM'
      group by organizations.id
      having case when organizations.deleted_at is null
        then not coalesce(bool_or(memberships.role = 'OWNER' and memberships.status = 'ACTIVE'), false)
        else count(memberships.id) > 0 end`,
  },
  {
    name: 'service-accounts',
    claim:
      'A service account belongs to one organization, which it does not own, and signs in with its keys only; a deleted one has no key that works',
    violations: sql`
      select 'user ' || users.id as subject
      from users
      left join (
        select user_id, count(*) as amount, bool_or(not is_service) as is_ordinary
        from memberships group by user_id) as member on member.user_id = users.id
      where users.kind = 'SERVICE' and (member.amount > 1
        or (member.amount is null and (users.account_status <> 'SUSPENDED'
          or exists (select 1 from api_keys where api_keys.user_id = users.id and api_keys.revoked_at is null)))
        or member.is_ordinary
        or exists (select 1 from organizations where organizations.owner_id = users.id)
        or exists (select 1 from identities where identities.user_id = users.id)
        or exists (select 1 from mailed_tokens where mailed_tokens.user_id = users.id)
        or exists (select 1 from sessions where sessions.user_id = users.id))
      union all
      select 'membership ' || memberships.id
      from memberships join users on users.id = memberships.user_id
      where memberships.is_service and users.kind <> 'SERVICE'
      union all
      select 'api key ' || api_keys.id
      from api_keys join users on users.id = api_keys.user_id
      where (api_keys.kind = 'SERVICE') <> (users.kind = 'SERVICE')`,
  },
  {
    name: 'open-invitations',
    claim: 'What an open invitation offers, its inviter may still grant',
    violations: sql`
      select 'invitation ' || invitations.id as subject
      from invitations
      where invitations.status = 'PENDING' and invitations.expires_at > now()
        and not exists (
          select 1 from memberships join users on users.id = memberships.user_id
          where memberships.organization_id = invitations.organization_id
            and memberships.user_id = invitations.invited_by
            and memberships.status = 'ACTIVE'
            and users.account_status in ('VERIFIED', 'DELETION_PENDING', 'DELETING')
            and (memberships.role = 'OWNER' or memberships.role = 'ADMIN' and invitations.role <> 'OWNER'))`,
  },
  {
    name: 'refresh-rotation',
    claim:
      'No refresh token was used twice: a session has one that works, and each took the place of one',
    violations: sql`
      select 'session ' || sessions.id || ' has ' || count(*) || ' usable refresh tokens' as subject
      from sessions
      join refresh_tokens on refresh_tokens.session_id = sessions.id
      where refresh_tokens.revoked_at is null
      group by sessions.id, sessions.ended_at
      having count(*) > case when sessions.ended_at is null then 1 else 0 end
      union all
      select 'refresh token ' || issued.jti || ' took the place of no other'
      from refresh_tokens as issued
      join sessions on sessions.id = issued.session_id
      where issued.issued_at <> sessions.created_at
        -- Of an older session the first ones may be gone.
        and not exists (
          select 1 from refresh_tokens as expired
          where expired.session_id = sessions.id and expired.expires_at <= now() + interval '1 hour')
        and exists (
          select 1 from refresh_tokens as first
          where first.session_id = sessions.id and first.issued_at = sessions.created_at)
        and not exists (
          select 1 from refresh_tokens as used
          where used.session_id = sessions.id and used.revoked_at = issued.issued_at)
      union all
      select 'session ' || session_id || ' has ' || count(*) || ' refresh tokens in the place of one'
      from refresh_tokens group by session_id, issued_at having count(*) > 1`,
  },
  {
    name: 'second-factors',
    claim:
      'Signing in takes a second factor exactly where there is one, and recovery codes are beside one',
    violations: sql`
      select 'user ' || users.id as subject
      from users
      left join totp_factors on totp_factors.user_id = users.id
      where users.has_second_factor <> (totp_factors.enabled_at is not null
        or exists (select from passkeys where passkeys.user_id = users.id))
      union all
      select 'recovery codes of user ' || recovery_codes.user_id
      from recovery_codes join users on users.id = recovery_codes.user_id
      where not users.has_second_factor`,
  },
  {
    name: 'kept-emails',
    claim: 'No account has an email that another one may take back',
    violations: sql`
      select 'user ' || users.id as subject
      from email_changes join users on users.email = email_changes.old_email
      where users.id <> email_changes.user_id
        and email_changes.changed_at > now() - make_interval(days => ${emailUndoDays}::int)`,
  },
  {
    name: 'token-owners',
    claim: 'A refresh token belongs to the account of its session',
    violations: sql`
      select 'refresh token ' || refresh_tokens.jti as subject
      from refresh_tokens join sessions on sessions.id = refresh_tokens.session_id
      where sessions.user_id <> refresh_tokens.user_id`,
  },
  {
    name: 'mailed-links',
    claim:
      'No mailed link was used twice: an account is verified, and an invitation accepted, once',
    violations: sql`
      select 'user ' || resource_id || ' verified its email ' || count(*) || ' times' as subject
      from account_activities where action = 'user.verify_email'
      group by resource_id having count(*) > 1
      union all
      select 'invitation ' || invitation || ' was accepted ' || count(*) || ' times'
      from ${readApart(sql`select metadata ->> 'invitationId' as invitation from activities where action = 'member.join'`)} as accepted
      group by invitation having count(*) > 1`,
  },
];
