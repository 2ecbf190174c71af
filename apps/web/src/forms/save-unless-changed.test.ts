import { ApiError } from '@atelier/client';
import { expect, test, vi } from 'vitest';
import { saveUnlessChanged } from './save-unless-changed.ts';

/** Saves "new" over the name "old" where the service has another one. */
async function saveOver(stored: string, write = vi.fn<() => Promise<unknown>>()) {
  const isSaved = await saveUnlessChanged({
    read: async () => ({ data: stored, etag: '"1"' }),
    isSame: (current) => current === 'old',
    isSaved: (current) => current === 'new',
    write,
  });
  return { isSaved, writes: write.mock.calls };
}

test('what is as the form shows it is written with its ETag', async () => {
  expect(await saveOver('old')).toEqual({ isSaved: true, writes: [[{ ifMatch: '"1"' }]] });
});

test('what someone else has changed is not written', async () => {
  expect(await saveOver('theirs')).toEqual({ isSaved: false, writes: [] });
});

test('what an earlier attempt has written, whose response was lost, is saved', async () => {
  expect(await saveOver('new')).toEqual({ isSaved: true, writes: [] });
});

test('what changes between reading and writing is not written', async () => {
  const error = new ApiError({
    message: 'The resource has changed',
    status: 412,
    code: 'precondition_failed',
    requestId: null,
    operation: 'webhooks.update',
    issues: [],
    headers: new Headers(),
  });
  const write = vi.fn<() => Promise<unknown>>().mockRejectedValue(error);
  expect((await saveOver('old', write)).isSaved).toBe(false);
});
