import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { organizations } from '../../db/generated/schema.ts';
import { call } from '../../testing/api.ts';
import { someFile, uploadFile } from '../../testing/library.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { newMailingTeam, noticesTo, runAllJobs, untilArrived } from './testing/mailing.ts';

const api = await setUpApi({ JOBS: 'separate' });

test('a mention on an asset is mailed with the name of the file and its page, each file apart', async () => {
  const { author, reader, team } = await newMailingTeam(api);
  const isTeam = eq(organizations.id, team.organizationId);
  await api.db.update(organizations).set({ mailContent: 'FULL' }).where(isTeam);
  const { body } = await call(api, 'collections.create', { ...team, body: { title: 'Pictures' } });
  const into = { collectionId: String(body.data.id), organizationId: team.organizationId };
  const ids: string[] = [];
  for (const name of ['logo.bin', 'cover.bin']) {
    const { id } = await uploadFile(api, author, someFile(3, name), into);
    ids.push(id);
    const mention = { body: `@${reader.email} please look` };
    const posted = await call(api, 'assetComments.create', {
      ...team,
      params: { id },
      body: mention,
    });
    expect(posted.status).toBe(201);
  }
  await untilArrived(api, reader, 2);
  await runAllJobs(api);
  const mails = await noticesTo(reader);
  expect(mails.map(({ subject }) => subject).toSorted()).toEqual([
    'You were mentioned: cover. bin',
    'You were mentioned: logo. bin',
  ]);
  const text = mails.map((mail) => mail.text).join();
  for (const id of ids) expect(text).toContain(`/assets/${id}`);
  expect(text).toContain('please look');
  expect(text).toContain('Open the file here');
});
