import {
  maxUnreadCount,
  type DigestSettings,
  type NotificationPreferences,
} from '@atelier/contract';
import { enqueueJobs } from '../../domain/job-queue.ts';
import {
  findPreferences,
  findPreferencesOf,
} from '../../domain/notification-preferences/queries.ts';
import {
  listNotifications,
  type NotificationRow,
} from '../../domain/notifications/queries/inbox.ts';
import type { Jobs } from '../../ports/jobs.ts';
import type { JobDeps } from '../job-deps.ts';
import { findVerifiedEmail } from '../queries.ts';
import { lastDueDigest, type DueDigest } from './digest-time.ts';
import {
  completeDigest,
  isDigestSent,
  listDigestCandidates,
  takeDigests,
} from './queries/mails.ts';
import { digestMail, maxListed } from './mails.ts';
import { isWantedInMail } from './wanted.ts';

/** People per transaction. */
const batchPeople = 500;
/** After which a mail that was to be sent at once is left to the digest, in milliseconds: the mail server was away. */
const lateMs = 60 * 60 * 1_000;
/** Pending entries that are read at a time. */
const pageEntries = 200;
/** Where counting for a digest stops, as in {@link listNotifications}. */
const maxCounted = maxUnreadCount + 1;

/** Enqueues the digest of each person whose time has come, once for each period. Idempotent. */
export async function enqueueDigests({
  db,
  clock,
  log,
}: Pick<JobDeps, 'db' | 'clock' | 'log'>): Promise<void> {
  const now = clock.now();
  let afterId: string | null = null;
  for (;;) {
    const candidates = await listDigestCandidates(db, { afterId, limit: batchPeople });
    const last = candidates.at(-1);
    if (!last) return;
    const preferences = await findPreferencesOf(
      db,
      candidates.map(({ userId }) => userId),
    );
    const due = candidates.flatMap(({ userId, oldest }) => {
      const wanted = preferences.get(userId);
      const digest = wanted ? dueOrNone(log, { userId, settings: wanted.digest, now }) : null;
      // What has arrived since is in the next one.
      return digest && oldest < digest.at ? [{ userId, period: digest.period }] : [];
    });
    await db.transaction(async (tx) => {
      await enqueueJobs(tx, 'send_digest', await takeDigests(tx, due));
    });
    afterId = last.userId;
  }
}

/** One person's settings that can't be computed must not keep the digests of all others. */
function dueOrNone(
  log: JobDeps['log'],
  { userId, settings, now }: { userId: string; settings: DigestSettings; now: Date },
): DueDigest | null {
  try {
    return lastDueDigest(settings, now);
  } catch (error) {
    log.error({ err: error, userId, timeZone: settings.timeZone }, 'no digest could be computed');
    return null;
  }
}

interface Pending {
  readonly userId: string;
  readonly now: Date;
  readonly lateSince: Date;
  readonly preferences: NotificationPreferences;
}

type Deps = Pick<JobDeps, 'db' | 'clock' | 'mailer' | 'appUrl' | 'apiUrl' | 'unsubscribeTokens'>;

/** Mails what is unread and was not mailed before, if there is anything and the digest was not sent. */
export async function sendDigest(
  deps: Deps,
  { userId, period }: Jobs['send_digest'],
): Promise<void> {
  const { db, clock, mailer } = deps;
  if (await isDigestSent(db, { userId, period })) return;
  const now = clock.now();
  const lateSince = new Date(now.getTime() - lateMs);
  const email = await findVerifiedEmail(db, userId);
  const preferences = await findPreferences(db, userId);
  const { wanted, upTo } = await readWanted(db, { userId, now, lateSince, preferences });
  const listed = wanted.slice(0, maxListed);
  if (email !== null && preferences.digest.frequency !== 'OFF' && listed.length > 0) {
    const unsubscribeToken = deps.unsubscribeTokens.make({
      userId,
      reason: 'digest',
      organizationId: null,
    });
    await mailer.send(
      digestMail(listed, {
        to: email,
        id: `digest.${userId}.${period}`,
        moreCount: wanted.length - listed.length,
        appUrl: deps.appUrl,
        apiUrl: deps.apiUrl,
        unsubscribeToken,
      }),
    );
  }
  await db.transaction((tx) => completeDigest(tx, { userId, period, upTo, lateSince, now }));
}

/**
 * Reads what is pending, the newest first, until enough is wanted: what is no longer wanted must not hide older entries.
 * Ends, because what arrives meanwhile is newer than the first page.
 */
async function readWanted(
  db: JobDeps['db'],
  { preferences, ...scope }: Pending,
): Promise<{ wanted: NotificationRow[]; upTo: number | null }> {
  const wanted: NotificationRow[] = [];
  let upTo: number | null = null;
  let after: { sortValue: string; id: string } | null = null;
  do {
    const { rows }: { rows: NotificationRow[] } = await listNotifications(
      db,
      { scope, conditions: ['forDigest', 'isUnread', 'isKept', 'isAwake'] },
      { limit: pageEntries, offset: 0, after },
    );
    upTo ??= rows[0]?.sequence ?? null;
    wanted.push(...rows.filter((row) => isWantedInMail(row, preferences)));
    const last = rows.length === pageEntries ? rows.at(-1) : undefined;
    after = last ? { sortValue: String(last.sequence), id: last.id } : null;
  } while (after !== null && wanted.length < maxCounted);
  return { wanted: wanted.slice(0, maxCounted), upTo };
}
