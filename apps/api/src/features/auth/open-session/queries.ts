import type { SecondFactorKind, SignInMethod } from '@atelier/contract';
import { sql, type SQL } from 'drizzle-orm';
import type { Database, Executor } from '../../../db/executor.ts';
import { knownOrigins, refreshTokens, sessions } from '../../../db/generated/schema.ts';
import { lockingStatement } from '../../../db/session/statement.ts';
import type { AccountStatus } from '../../../domain/account-sessions/queries.ts';
import { accountActivityInsert } from '../../../domain/activity.ts';
import { enqueuedJob } from '../../../domain/job-queue.ts';

/** A new session, its first refresh token, and its activity. */
export interface NewSession {
  readonly userId: string;
  readonly sessionId: string;
  readonly jti: string;
  /** The state that the account must still have when the session begins. */
  readonly passwordHash: string | null;
  /** Without, an account that has got a second factor by now opens none. */
  readonly isSecondFactorProven: boolean;
  /** Whether a password or a passkey proved who it is. */
  readonly isConfirmed: boolean;
  readonly signInMethod: SignInMethod;
  readonly secondFactor: SecondFactorKind | null;
  readonly userAgent: string | null;
  readonly ipAddress: string;
  /** The name of the device, as a mail about the session has it. */
  readonly device: string;
  /** The hashes that stand for the device and for the network; the first ones are stored. */
  readonly origin: { readonly devices: readonly string[]; readonly networks: readonly string[] };
  readonly now: Date;
  readonly expiresAt: Date;
  readonly activityId: string;
  readonly requestId: string;
}

const value = sql.placeholder;
const given = {
  now: sql`${sql.param(value('now'), sessions.createdAt)}::timestamptz`,
  expiresAt: sql`${sql.param(value('expiresAt'), sessions.expiresAt)}::timestamptz`,
};

/** Maximum number of devices, and of networks, that an account knows. */
const knownCount = 20;

/** Maximum numbers of mails in an hour. Those about known origins leave some for the others. */
const maxNotices = { known: 5, new: 10 } as const;

/**
 * Remembers where the session was opened from, and decides whether that is mailed. The first sign-in of an account is
 * only remembered. What would have to be mailed, but exceeds the limit, is not: it is as new the next time.
 *
 * The last version of the row is compared, so that of several sign-ins at once one is mailed. A window of mails in the
 * future is one of a clock that was set back since.
 */
function rememberedOrigin(db: Database) {
  const isNewTo = (row: SQL) => sql`not (${row}.devices && (select devices from origin)
    and ${row}.networks && (select networks from origin))`;
  return db.$with('remembered', {}).as(sql`
    insert into ${knownOrigins} as known (user_id, devices, networks, notices, noticed_since)
    select opened.user_id, origin.devices[1:1], origin.networks[1:1],
      case when account.mail_sign_ins then 1 else 0 end, case when account.mail_sign_ins then ${given.now} end
    from opened, account, origin
    on conflict (user_id) do update set (devices, networks, notices, noticed_since) = (
      select
        case when is_told or not is_new then ${newestFirst('devices')} else known.devices end,
        case when is_told or not is_new then ${newestFirst('networks')} else known.networks end,
        case when is_told then sent + 1 else known.notices end,
        case when is_told and sent = 0 then ${given.now} else known.noticed_since end
      from account, origin,
        lateral (select ${isNewTo(sql`known`)} as is_new, case
          when known.noticed_since between ${given.now} - interval '1 hour' and ${given.now} + interval '1 hour'
          then known.notices else 0 end as sent) as counted,
        lateral (select (is_new or account.mail_sign_ins) and sent < case
          when is_new then ${maxNotices.new}::int else ${maxNotices.known}::int end as is_told) as decided
    )
    returning new.user_id as user_id, coalesce(${isNewTo(sql`old`)}, false) as is_new,
      (new.notices, new.noticed_since) is distinct from (coalesce(old.notices, 0), old.noticed_since) as is_told`);
}

function newestFirst(column: 'devices' | 'networks'): SQL {
  const name = sql.identifier(column);
  return sql`(origin.${name}[1:1] || array(
    select each from unnest(known.${name}) as each where each <> all(origin.${name})))[1:${knownCount}::int]`;
}

const openedSession = lockingStatement((db) => {
  const account = db
    .$with('account', {
      accountStatus: sql<AccountStatus>`account_status`.as('account_status'),
      hasThatPassword: sql<boolean>`has_that_password`.as('has_that_password'),
      needsSecondFactor: sql<boolean>`needs_second_factor`.as('needs_second_factor'),
    })
    .as(
      sql`
    select id, email, account_status, mail_sign_ins,
      password_hash is not distinct from ${value('passwordHash')}::text as has_that_password,
      has_second_factor and not ${value('isSecondFactorProven')}::boolean as needs_second_factor
    from account_to_sign_in(${value('userId')}::uuid)`,
    );
  const opened = db.$with('opened', {}).as(sql`
    insert into ${sessions} (id, user_id, user_agent, ip_address, created_at, last_used_at, confirmed_at, expires_at,
      sign_in_method, second_factor)
    select ${value('sessionId')}::uuid, account.id, ${value('userAgent')}::text, ${value('ipAddress')}::text,
      ${given.now}, ${given.now}, case when ${value('isConfirmed')}::boolean then ${given.now} end, ${given.expiresAt},
      ${value('signInMethod')}::text, ${value('secondFactor')}::text
    from account where account.account_status = 'VERIFIED' and account.has_that_password
      and not account.needs_second_factor
    returning id, user_id`);
  const issued = db.$with('issued', {}).as(sql`
    insert into ${refreshTokens} (jti, session_id, user_id, issued_at, expires_at)
    select ${value('jti')}::uuid, opened.id, opened.user_id, ${given.now}, ${given.expiresAt} from opened`);
  const recorded = db.$with('recorded', {}).as(
    accountActivityInsert(
      {
        id: sql`${value('activityId')}::uuid`,
        action: sql`'user.login'`,
        actorId: sql`account.id`,
        resourceType: sql`'user'`,
        resourceId: sql`account.id`,
        resourceName: sql`account.email`,
        metadata: sql`jsonb_build_object('sessionId', opened.id)`,
        apiKeyId: sql`null::uuid`,
        requestId: sql`${value('requestId')}::text`,
        at: given.now,
      },
      sql`account, opened`,
    ),
  );
  const origin = db.$with('origin', {}).as(sql`
    select string_to_array(${value('devices')}::text, ',') as devices,
      string_to_array(${value('networks')}::text, ',') as networks`);
  return db
    .with(account, opened, issued, recorded, origin, rememberedOrigin(db))
    .select({
      accountStatus: account.accountStatus,
      hasThatPassword: account.hasThatPassword,
      needsSecondFactor: account.needsSecondFactor,
      noticeJobId: sql<string | null>`(select ${enqueuedJob('send_security_notice', {
        userId: sql`user_id`,
        about: sql`case when is_new then 'NEW_SIGN_IN' else 'SIGN_IN' end`,
        origin: sql`json_build_object('device', ${value('device')}::text, 'ipAddress', ${value('ipAddress')}::text)`,
        at: given.now,
        notificationId: sql`uuidv7()`,
      })} from remembered where is_told)`,
    })
    .from(account);
});

/**
 * Opens a session in a single statement, which takes the account lock. A sign-in from a device or network that the account
 * doesn't know is mailed; a known one only if its person wants that.
 *
 * @returns the account as the statement found it: a verified account with that password, and with its
 *   second factor proven if it has one, gets its session; null
 *   without an account
 */
export async function openSession(db: Executor, { origin, ...session }: NewSession) {
  const [account] = await openedSession(db, {
    ...session,
    devices: origin.devices.join(','),
    networks: origin.networks.join(','),
  });
  return account ?? null;
}
