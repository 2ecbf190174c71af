// @module-tag slow

import { eq } from 'drizzle-orm';
import { operations } from '@atelier/contract';
import { describe, expect, test, vi } from 'vitest';
import { tenantTables } from '../db/catalogue.ts';
import { newUser } from '../testing/accounts.ts';
import { activityWalk } from '../testing/activity-walk.ts';
import { call } from '../testing/api.ts';
import { openStream } from '../testing/event-streams.ts';
import { filledTeam, type FilledTeam } from '../testing/filled-team.ts';
import { projects } from '../db/generated/schema.ts';
import { runJobs, untilIdle } from '../testing/library.ts';
import { operate } from '../testing/operator.ts';
import { configuredAdmin, type Story } from '../testing/feature-fixtures.ts';
import { newStoryTeam } from '../testing/fixture-parts.ts';
import { findInputs, stories } from './fixtures.ts';
import { queryVariations } from '../testing/query-variations.ts';
import { sentStatements } from '../testing/recorded-statements.ts';
import { setUpApi } from '../testing/set-up.ts';
import { unboundTables } from '../testing/tenant-statements.ts';

vi.mock('postgres', async (original) => {
  const { recordingDriver } = await import('../testing/recorded-statements.ts');
  return recordingDriver(original);
});

const api = await setUpApi({ ADMIN_EMAILS: configuredAdmin() });

const tables = new Set(tenantTables.map(({ name }) => name));

/** Makes the service run every operation, job and operator command. */
async function doEverything(): Promise<void> {
  const [ada, bob, viewer, stranger, admin] = await Promise.all(
    ['ada', 'bob', 'viewer', 'stranger', 'admin'].map((name) => newUser(api, name)),
  );
  if (!ada || !bob || !viewer || !stranger || !admin) throw new Error('an account is missing');
  const people = { ada, bob, viewer, stranger };
  const team = await filledTeam(api, { owner: ada, member: viewer, mark: 'apfelbaum', times: 2 });
  sentStatements.length = 0;
  const operator = (...args: string[]) => operate(args, { DATABASE_URL: api.config.DATABASE_URL });
  expect((await operator('grant-admin', admin.email)).stderr).toBe('');
  await readEverything(team, [ada.token, admin.token]);
  await followLinks(team, ada.token);
  await visitAShare(team, ada.token);
  await listen(team, ada.token);
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
  await doUpkeep(team);
}

async function readEverything(team: FilledTeam, tokens: readonly string[]) {
  const { organizationId } = team;
  const reads = operations.filter(({ endpoint }) => endpoint.method === 'GET');
  for (const { id, endpoint } of reads) {
    for (const input of findInputs(id, team) ?? []) {
      for (const variation of [{}, ...queryVariations(endpoint.query, ['apfelbaum'])]) {
        const query = { ...input.query, ...variation };
        for (const token of tokens) {
          await call(api, id, { ...input, query, token, organizationId });
        }
      }
    }
  }
}

/** Links to files, which are open to anonymous callers. */
async function followLinks({ assetId, organizationId }: FilledTeam, token: string): Promise<void> {
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
async function visitAShare({ shareId, assetId, organizationId }: FilledTeam, token: string) {
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
async function listen({ organizationId, collectionId: id }: FilledTeam, token: string) {
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
async function doUpkeep({ organizationId }: FilledTeam): Promise<void> {
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

/** Statements that are of no single organization, by their content. */
const exceptions: readonly { readonly reason: string; readonly statement: RegExp }[] = [
  {
    reason: 'one sees what one did oneself, in whichever organization',
    statement: /from "activities" where \(?"activities"\."actor_id" = \$\d+/,
  },
  {
    reason: 'an export has all memberships of its account',
    statement: /from "memberships" where \(?"memberships"\."user_id" = \$1/,
  },
  {
    reason: 'an export has the reach of all keys of its account',
    statement:
      /from "api_key_organizations" where \(?"api_key_organizations"\."api_key_id" in \(select "api_keys"\."id" from "api_keys" where "api_keys"\."user_id" = /,
  },
  {
    reason:
      'activities stay on one server: found by the keys that a subquery of the organization returns',
    statement:
      /from "activities" where \("activities"\."id", "activities"\."created_at"\) in \(.*"activities"\."organization_id" = \$\d and "activities"\."action" = wanted\.action\)/,
  },
  {
    reason: 'activities whose announcement was lost are searched in all organizations',
    statement: /^select distinct log_positions\.organization_id as id from /,
  },
  {
    reason: 'of the organizations that were announced, those that are followed',
    statement:
      /^select distinct organization_id as id from log_positions where organization_id in /,
  },
  {
    reason: 'organizations that are followed from their beginning, whichever they are',
    statement: /^insert into log_positions .* from organizations, jsonb_to_recordset/,
  },
  {
    reason: 'one searches all organizations that one is a member of',
    statement: /"search_documents" as d where d\.organization_id = any\(array\(/,
  },
  {
    reason: 'one searches all organizations: which those are',
    statement:
      /^select "organizations"\."id" from "memberships" inner join "organizations" .* = 'SERVICE'\)/,
  },
  {
    reason: 'a person is found under a new name in all their teams',
    statement:
      /^select "organizations"\."id" from "memberships" inner join "organizations" on \(.*"type" = \$1/,
  },
  {
    reason: 'names that the release before has written are folded in all organizations',
    statement:
      /^select "organization_id", "id", "(?:name|title)" from "(?:assets|projects|tasks)" where .*_folded" is null/,
  },
  {
    reason: 'names are folded in all organizations: the rows that were locked',
    statement: /^update "(?:assets|projects|tasks)" set "(?:name|title)_folded" = given\.folded/,
  },
  {
    reason: 'one reads and marks what one is notified of, in whichever organization',
    statement: /from "notifications" .*"notifications"\."user_id" = \$\d/,
  },
  {
    reason: 'one is mailed what one is notified of, in whichever organization',
    statement:
      /^update "notifications" set "mail" = \$1 where \("notifications"\."user_id" = \$2|^select user_id as "userId", min\(updated_at\)/,
  },
  {
    reason: 'followers are told of due dates in all organizations',
    statement:
      /^select tasks\.organization_id as "organizationId", tasks\.id as "taskId", due\.reason/,
  },
  {
    reason: 'notifications that nobody needs are removed in all organizations',
    statement:
      /^with due as \( ?(select notifications\.organization_id,|with crowded as materialized) /,
  },
  {
    reason: 'a key tells which organization its service account belongs to',
    statement:
      /from "api_keys" .*left join "memberships" on \("memberships"\."user_id" = \S+ and "memberships"\."is_service" = /,
  },
  {
    reason: 'old deliveries are removed in all organizations',
    statement:
      /^select "organization_id", "id" from "webhook_deliveries" where "webhook_deliveries"\."created_at" < |^delete from "webhook_deliveries" where \("webhook_deliveries"\."organization_id" in /,
  },
  {
    reason: 'secrets are sealed anew in all organizations',
    statement: /^select .* from "(webhooks|shares)" where \(?substr\("\1"\."(secret|token)", 1, /,
  },
  {
    reason: 'the open streams of all organizations are looked at together',
    statement:
      /^select coalesce\(sessions\.id, api_keys\.id\) is not null .* from jsonb_to_recordset\(\$1::text::jsonb\) as asked/,
  },
  {
    reason: 'the organizations that one is a member of, found by who one is',
    statement: /from "organizations" inner join "memberships" "mine" on .*"mine"\."user_id" = \$1/,
  },
  {
    reason: 'the organizations that a key reaches, found by the key',
    statement:
      /from api_key_organizations join organizations on .* where api_key_organizations\.api_key_id = api_keys\.id/,
  },
  {
    reason: 'the roles of an account in the organizations that its key is to reach',
    statement: /from "memberships" inner join "organizations" on .*"memberships"\."user_id" = \$1/,
  },
  {
    reason: 'a link to an invitation is a secret that only its receiver has',
    statement: /from "invitation_tokens" .*where "invitation_tokens"\."token_hash" = \$\d+$/,
  },
  {
    reason: 'the link of a share is a secret of those who got it',
    statement: /from "shares" .*where "shares"\."token_hash" = \$\d+$/,
  },
  {
    reason: 'a ticket of a share is a secret of its visitor',
    statement: /from "share_tickets" inner join "shares" .*"share_tickets"\."ticket_hash" = \$\d+/,
  },
  {
    reason: 'what visitors left behind is removed in all organizations',
    statement: /^delete from "(share_tickets|share_views|shares|share_pictures)" where ctid in /,
  },
  {
    reason: 'a short link is open to everybody who has it',
    statement:
      /from "assets" .*where \("assets"\."short_code" = \$1 and "assets"\."public_link_enabled" =/,
  },
  {
    reason: 'the open uploads of an account are limited over all organizations',
    statement: /from "uploads" where \("uploads"\."user_id" = \$1 and "uploads"\."status" = \$2/,
  },
  {
    reason: 'expired uploads are ended in all organizations',
    statement: /from "uploads" where \("uploads"\."status" = \$1 and "uploads"\."expires_at" <=/,
  },
  {
    reason: 'what was published from assets that are purged is of other organizations',
    statement:
      /^update "assets" set "published_from_asset_id" = \$1 where "assets"\."published_from_asset_id" in \(\$\d/,
  },
  {
    reason: 'the bin is purged in all organizations: the organizations, found by what is due',
    statement:
      /^\(select "organization_id" from "assets" where "assets"\."deleted_at" <= \$1\) union/,
  },
  {
    reason: 'an account that the operator suspends has open invitations in any organization',
    statement:
      /^select "id" from "organizations" where \("organizations"\."id" in \(select "organization_id" from "invitations" where \("invitations"\."invited_by" = \$1/,
  },
  {
    reason: 'an object of the storage is looked up by its key, to see whether anybody knows it',
    statement:
      /^select listed\.key from .* where not exists .* from ("uploads" where "uploads"\."key" =|"share_pictures" where)/,
  },
  {
    reason: 'content is deleted with its last version, which may be of any organization',
    statement: /^delete from "stored_objects" where .* not exists \(select 1 from "asset_versions"/,
  },
  {
    reason: "the stories of this test look at everybody's activities",
    statement: /from "activities" order by "activities"\."created_at" asc, "activities"\."id" asc$/,
  },
];

describe('every statement of the service', () => {
  let texts: readonly string[] = [];
  let unbound: readonly string[] = [];

  test('is recorded, for every table of organizations', async () => {
    await doEverything();
    texts = [...new Set(sentStatements.map(({ text }) => text.trim().replaceAll(/\s+/g, ' ')))];
    const isNamed = (table: string) => texts.some((text) => text.includes(`"${table}"`));
    expect(
      [...tables].filter((table) => !isNamed(table)),
      'add a story or an input that uses the table to the testing.ts of its feature',
    ).toEqual([]);
    const found = await Promise.all(texts.map((text) => unboundTables(text, tables)));
    unbound = texts.filter((_, index) => found[index]?.length !== 0);
  }, 300_000);

  test('binds its rows to an organization, or has a reason not to', () => {
    const isException = (text: string) => exceptions.some(({ statement }) => statement.test(text));
    expect(
      unbound.filter((text) => !isException(text)),
      'compare organization_id with the parameter in each statement, or add it with a reason to exceptions in apps/api/src/whole-service/tenant-statements.test.ts',
    ).toEqual([]);
  });

  test.each(exceptions)('has an exception where it is needed: $reason', ({ statement }) => {
    expect(unbound.some((text) => statement.test(text))).toBe(true);
  });
});
