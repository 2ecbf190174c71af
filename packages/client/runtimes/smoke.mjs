// Runs in every runtime: the packed client against a service built on `fetch` classes.
import { createClient, memoryTokens } from '@atelier/client';
import { memoryUploads } from '@atelier/client/resume';
import { upload } from '@atelier/client/upload';

const stored = new Map();
let refreshes = 0;

const respond = (data) => Response.json({ message: 'Fine', data });

async function service(address, init) {
  const { pathname } = new URL(address);
  if (init.method === 'PUT') {
    stored.set(pathname, await new Response(init.body).text());
    return new Response('', { headers: { etag: `"${pathname}"` } });
  }
  if (pathname.endsWith('/refresh-token')) {
    refreshes += 1;
    return respond({ token: 'new', refreshToken: 'r2' });
  }
  if (pathname.endsWith('/initiate')) {
    const parts = [1, 2, 3].map((partNumber) => ({ partNumber, url: `http://s3/${partNumber}` }));
    return respond({
      uploadId: 'u',
      key: 'k',
      partSize: 4,
      parts,
      expiresAt: '2999-01-01T00:00:00Z',
    });
  }
  if (pathname.endsWith('/complete')) return respond({ id: 'asset' });
  const isFresh = new Headers(init.headers).get('authorization') === 'Bearer new';
  if (!isFresh) return Response.json({ message: 'No', code: 'unauthenticated' }, { status: 401 });
  return respond({ email: 'ada@example.com' });
}

const api = createClient({
  baseUrl: 'http://api',
  tokens: memoryTokens({ accessToken: 'old', refreshToken: 'r1' }),
  fetch: service,
});
const users = await Promise.all(Array.from({ length: 20 }, () => api.auth.user()));
const task = upload(api, new Blob(['0123456789']), {
  collectionId: 'c',
  fetch: service,
  resume: { store: memoryUploads(), key: 'file' },
});
let last;
for await (const state of task) last = state;
const { id } = await task.done;

const seen = { users: users.length, refreshes, id, parts: [...stored.values()], phase: last.phase };
const wanted = {
  users: 20,
  refreshes: 1,
  id: 'asset',
  parts: ['0123', '4567', '89'],
  phase: 'done',
};
if (JSON.stringify(seen) !== JSON.stringify(wanted)) {
  throw new Error(`Expected ${JSON.stringify(wanted)}, got ${JSON.stringify(seen)}`);
}
