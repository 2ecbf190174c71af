import { and, eq } from 'drizzle-orm';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { webhooks } from '../../db/generated/schema.ts';
import { webhookSecrets } from '../../domain/webhooks/secrets.ts';
import { createKeys } from '../../kernel/keys.ts';
import { call } from '../../testing/api.ts';
import { newTeamOf } from '../../testing/organizations.ts';
import { setUpApiWithUser } from '../../testing/set-up.ts';
import { keepWebhooks } from './keep.ts';

const { api, user } = await setUpApiWithUser();

test('secrets are sealed with the current key, page by page; those whose key is gone are counted in one line', async () => {
  const team = await newTeamOf(api, user);
  const made = await call(api, 'webhooks.create', {
    ...team,
    params: { id: team.organizationId },
    body: { url: 'http://127.0.0.1:1024/', events: ['*'] },
  });
  expect([made.status, made.body.code]).toEqual([201, undefined]);
  const isWebhook = and(
    eq(webhooks.organizationId, team.organizationId),
    eq(webhooks.id, String(made.body.data.id)),
  );
  const stored = async () => {
    const [row] = await api.db.select().from(webhooks).where(isWebhook);
    if (!row) throw new Error('the webhook is gone');
    return row;
  };
  const before = await stored();
  // More than a page of others, before it in the order of ids: nothing that is sealed for one webhook opens for another.
  const ids = Array.from(
    { length: 501 },
    (_, index) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
  );
  await api.db.insert(webhooks).values(ids.map((id) => ({ ...before, id })));

  const { JWT_SECRETS, TOKEN_ENVELOPE_KEYS } = api.config;
  const newKey = 'c'.repeat(64);
  const keysOf = (...envelopeKeys: string[]) =>
    webhookSecrets(createKeys({ JWT_SECRETS, TOKEN_ENVELOPE_KEYS: envelopeKeys }));
  const lines: unknown[] = [];
  const log = pino({ level: 'error' }, { write: (line) => lines.push(JSON.parse(line)) });
  const both = keysOf(newKey, ...TOKEN_ENVELOPE_KEYS);
  await keepWebhooks({ db: api.db, clock: api.clock, webhookSecrets: both, log });

  const after = await stored();
  expect(keysOf(newKey).signersOf(before, api.clock.now())).toBeNull();
  expect(keysOf(newKey).signersOf(after, api.clock.now())?.secrets).toEqual(
    both.signersOf(before, api.clock.now())?.secrets,
  );
  expect(lines).toMatchObject([{ lost: 501, msg: expect.stringContaining('webhooks is missing') }]);
});
