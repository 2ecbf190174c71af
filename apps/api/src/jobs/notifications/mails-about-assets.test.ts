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

test('the status of a review is mailed as a sentence, and the file is named', async () => {
  const { author, bystander, team } = await newMailingTeam(api);
  const { body } = await call(api, 'collections.create', { ...team, body: { title: 'Pictures' } });
  const into = { collectionId: String(body.data.id), organizationId: team.organizationId };
  const preferences = (await call(api, 'notifications.preferences', { token: author.token })).body;
  const reasons = { ...preferences.data.reasons, changed: { inbox: true, mail: 'INSTANT' } };
  await call(api, 'notifications.setPreferences', {
    token: author.token,
    body: { ...preferences.data, reasons },
  });
  const sentences = {
    IN_REVIEW: 'wants a review of a file',
    CHANGES_REQUESTED: 'asked for changes to a file',
    APPROVED: 'approved a file',
  };
  for (const status of Object.keys(sentences)) {
    const { id } = await uploadFile(api, author, someFile(3, `${status}.bin`), into);
    const set = { ...team, token: bystander.token, params: { id }, body: { status } };
    expect((await call(api, 'assets.review', set)).status).toBe(200);
  }
  await untilArrived(api, author, 3);
  await runAllJobs(api);
  const mails = await noticesTo(author);
  expect(mails.map(({ subject }) => subject).toSorted()).toEqual([
    'Review: APPROVED. bin',
    'Review: CHANGES_REQUESTED. bin',
    'Review: IN_REVIEW. bin',
  ]);
  for (const [status, sentence] of Object.entries(sentences)) {
    const mail = mails.find(({ subject }) => subject.includes(status));
    expect(mail?.text).toContain(sentence);
    expect(mail?.text).toContain('Open the file here');
  }
});
