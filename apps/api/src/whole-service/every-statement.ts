import { eq } from 'drizzle-orm';
import { operations } from '@atelier/contract';
import { expect } from 'vitest';
import { projects } from '../db/generated/schema.ts';
import { newUser, type TestUser } from '../testing/accounts.ts';
import { activityWalk } from '../testing/activity-walk.ts';
import { call, type TestApi } from '../testing/api.ts';
import { openStream } from '../testing/event-streams.ts';
import { filledTeam, type FilledTeam } from '../testing/filled-team.ts';
import type { Story } from '../testing/feature-fixtures.ts';
import { newStoryTeam } from '../testing/fixture-parts.ts';
import { runJobs, untilIdle } from '../testing/library.ts';
import { operate } from '../testing/operator.ts';
import { queryVariations } from '../testing/query-variations.ts';
import { sentStatements, type SentStatement } from '../testing/recorded-statements.ts';
import { findInputs, stories } from './fixtures.ts';

/**
 * Makes the service run every operation, job and operator command.
 *
 * @param api - with {@link configuredAdmin} as its administrator; its driver is `recordingDriver`
 * @returns each statement that it sent, once for each text
 */
export async function sendEveryStatement(api: TestApi): Promise<SentStatement[]> {
  const [ada, bob, viewer, stranger, admin] = await Promise.all(
    ['ada', 'bob', 'viewer', 'stranger', 'admin'].map((name) => newUser(api, name)),
  );
  if (!ada || !bob || !viewer || !stranger || !admin) throw new Error('an account is missing');
  const people = { ada, bob, viewer, stranger };
  const team = await filledTeam(api, { owner: ada, member: viewer, mark: 'apfelbaum', times: 2 });
  sentStatements.length = 0;
  const operator = (...args: string[]) => operate(args, { DATABASE_URL: api.config.DATABASE_URL });
  expect((await operator('grant-admin', admin.email)).stderr).toBe('');
  await readEverything(api, team, { ada, admin });
  await followLinks(api, team, ada.token);
  await visitAShare(api, team, ada.token);
  await listen(api, team, ada.token);
  const walk = activityWalk(
    () => api,
    () => people,
  );
  const story: Story = { api, people, walk: walk.walk, ...(await newStoryTeam(api, people)) };
  for (const [, tell] of stories) await tell(story);
  for (const command of ['sessions', 'suspend', 'reinstate', 'end-sessions', 'revoke-admin']) {
    expect((await operator(command, admin.email)).stderr).toBe('');
  }
  expect((await operator('jobs')).stderr).toBe('');
  await doUpkeep(api, team);
  return onceEach(sentStatements);
}

async function readEverything(
  api: TestApi,
  team: FilledTeam,
  { ada, admin }: Readonly<Record<'ada' | 'admin', TestUser>>,
) {
  const { organizationId } = team;
  const reads = operations.filter(({ endpoint }) => endpoint.method === 'GET');
  for (const { id, endpoint } of reads) {
    // Those of the platform see more than those of a team, by other statements.
    const isForAdministrators = endpoint.metadata.access.kind === 'administrator';
    for (const input of findInputs(id, team) ?? []) {
      for (const variation of [{}, ...queryVariations(endpoint.query, ['apfelbaum'])]) {
        const query = { ...input.query, ...variation };
        for (const { token } of isForAdministrators ? [ada, admin] : [ada]) {
          await call(api, id, { ...input, query, token, organizationId });
        }
      }
    }
  }
}

/** Links to files, which are open to anonymous callers. */
async function followLinks(
  api: TestApi,
  { assetId, organizationId }: FilledTeam,
  token: string,
): Promise<void> {
  const { body } = await call(api, 'assets.update', {
    params: { id: assetId },
    body: { publicLinkEnabled: true },
    token,
    organizationId,
  });
  const code = String(body.data.assetShortUrl).split('/').at(-1) ?? '';
  expect((await call(api, 'assets.followShortLink', { params: { code } })).status).toBe(302);
}

/** What visitors without an account do. */
async function visitAShare(
  api: TestApi,
  { shareId, assetId, organizationId }: FilledTeam,
  token: string,
) {
  const params = { id: shareId };
  const body = { versions: 'CURRENT', password: 'printer 4711', allowComments: true };
  await call(api, 'shares.update', { params, body, token, organizationId });
  const { body: share } = await call(api, 'shares.get', { params, token, organizationId });
  const linked = { token: String(share.data.url).split('#')[1] };
  const { body: opened } = await call(api, 'shares.open', {
    body: { ...linked, password: 'printer 4711' },
  });
  const headers = { authorization: `Share ${opened.data.ticket}` };
  for (const operation of ['shares.shared', 'shares.sharedAssets'] as const) {
    expect((await call(api, operation, { headers })).status).toBe(200);
  }
  const shown = { headers, params: { id: assetId } };
  await call(api, 'shares.sharedAsset', shown);
  await call(api, 'shares.sharedDownload', shown);
  const guest = { body: 'Blurred', visitorName: 'Grace' };
  const posted = await call(api, 'shares.createSharedComment', { ...shown, body: guest });
  expect(posted.status).toBe(201);
  const reply = { ...guest, parentId: posted.body.data.id };
  await call(api, 'shares.createSharedComment', { ...shown, body: reply });
  await call(api, 'shares.sharedComments', shown);
}

/** A stream that is opened, receives a message, and is resumed. */
async function listen(
  api: TestApi,
  { organizationId, collectionId: id }: FilledTeam,
  token: string,
) {
  const first = await openStream(api, { token, organizationId });
  const isFavorite = { isFavorite: false };
  await call(api, 'collections.favorite', {
    params: { id },
    body: isFavorite,
    token,
    organizationId,
  });
  await first.change(id);
  first.leave();
  const again = await openStream(api, { token, organizationId, lastEventId: first.lastId });
  again.leave();
}

/** Runs the scheduled jobs with many expired records. */
async function doUpkeep(api: TestApi, { organizationId }: FilledTeam): Promise<void> {
  await untilIdle(api);
  // As the release before leaves names that aren't ASCII.
  const ofTeam = eq(projects.organizationId, organizationId);
  await api.db.update(projects).set({ nameFolded: null }).where(ofTeam);
  api.clock.advance({ seconds: 40 * 24 * 60 * 60 });
  await runJobs(api, [
    'clean_up',
    'clean_up_uploads',
    'reconcile_storage',
    'purge_bin',
    'keep_activities',
    'keep_webhooks',
    'keep_totp_secrets',
    'keep_shares',
    'notice_due_tasks',
    'enqueue_digests',
    'keep_notifications',
    'fold_names',
  ]);
}

const absences = ({ parameters }: SentStatement) =>
  parameters.filter((value) => value === null).length;

/** Of the statements with the same text, the one with the fewest absent values; in one line, without comments. */
function onceEach(sent: readonly SentStatement[]): SentStatement[] {
  const found = new Map<string, SentStatement>();
  for (const statement of sent) {
    const text = statement.text.replaceAll(/--.*/g, '').replaceAll(/\s+/g, ' ').trim();
    const known = found.get(text);
    if (!known || absences(statement) < absences(known)) found.set(text, { ...statement, text });
  }
  return [...found.values()];
}
