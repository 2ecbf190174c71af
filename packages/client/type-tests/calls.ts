import { createClient, TransportError } from '../src/index.ts';
import type { ApiError, Asset, ErrorOf, Task, TaskPage, User } from '../src/index.ts';
import { memoryUploads, uploadsIn } from '../src/resume.ts';
import { upload } from '../src/upload.ts';

const api = createClient({ baseUrl: 'https://api.example.com' });
const id = '019aa4f0-5c1e-7b3a-9d2f-6f1f0c7a9e42';

export async function right(): Promise<void> {
  const user: User = await api.auth.user();
  const page: TaskPage = await api.tasks.list();
  const task: Task = await api.tasks.create({
    params: { projectId: id },
    body: { title: user.displayName, priority: 'HIGH', dueDate: null },
  });
  await api.tasks.move({ params: { id: task.id }, body: { afterId: page.items[0]?.id ?? id } });
  await api.assets.publish({ params: { id } });
  await api.assets.publish({ params: { id }, body: { collectionId: id } }, { organizationId: id });
  await api.auth.logout();
  await api.tasks.update({ params: { id }, body: {} }, { ifMatch: '"7"', timeoutMs: 0 });
  await api.collections.create({ body: { title: 'x' } }, { idempotencyKey: 'k' });
  for await (const item of api.assets.list.iterate({ query: { favorite: true, limit: 50 } })) {
    const asset: Asset = item;
    void asset;
  }
  const nothing: undefined = await api.auth.logout();
  void nothing;
  const address: string = api.auth.startGithub.url();
  void address;
  const store = uploadsIn(new Map<string, string>());
  void upload(api, new Blob(), { collectionId: id, resume: { store, key: 'logo' } });
  void upload(api, new File([], 'a'), { collectionId: id, resume: { store } });
  const asset: Asset = await upload(api, new Blob(), { collectionId: id }).done;
  void asset;
}

export async function errors(): Promise<void> {
  const result = await api.organizations.removeMember({ params: { id, memberId: id } }).result();
  if (result.ok) {
    const removed: string = result.data.id;
    void removed;
    // @ts-expect-error a success has no error
    void result.error;
    return;
  }
  // @ts-expect-error a failure has no data
  void result.data;
  const { error } = result;
  switch (error.code) {
    case 'last_owner': {
      const conflict: 409 = error.status;
      void conflict;
      break;
    }
    case 'personal_organization':
    case 'precondition_failed':
    case 'unknown':
      break;
    case undefined: {
      const kind: 'network' | 'timeout' | 'session_expired' = error.kind;
      void kind;
      break;
    }
    // @ts-expect-error this operation never returns it
    case 'already_published':
      break;
    default: {
      const service: ApiError = error;
      void service;
    }
  }
  if (error instanceof TransportError) void error.attempts;
  // @ts-expect-error not every error has attempts
  void error.attempts;
}

export const publishErrors: ErrorOf<'assets.publish'>['code'] = 'already_published';
// @ts-expect-error login never returns it
export const loginErrors: ErrorOf<'auth.login'>['code'] = 'already_published';

export function wrong(): void {
  // @ts-expect-error the body is missing
  void api.collections.create();
  // @ts-expect-error the title is missing
  void api.collections.create({ body: {} });
  // @ts-expect-error the title is text
  void api.collections.create({ body: { title: 1 } });
  // @ts-expect-error there is no such field
  void api.collections.create({ body: { title: 'x', role: 'OWNER' } });
  // @ts-expect-error the path parameter is missing
  void api.tasks.get();
  // @ts-expect-error there is no such path parameter
  void api.tasks.get({ params: { taskId: id } });
  // @ts-expect-error there is no such order
  void api.tasks.list({ query: { sort: 'colour' } });
  // @ts-expect-error a number, not text
  void api.tasks.list({ query: { limit: '20' } });
  // @ts-expect-error one position, not two
  void api.tasks.move({ params: { id }, body: { position: 0, afterId: id } });
  // @ts-expect-error no position at all
  void api.tasks.move({ params: { id }, body: { status: 'DONE' } });
  // @ts-expect-error there is no such operation
  void api.tasks.explode();
  // @ts-expect-error a single resource has no pages
  void api.tasks.get.pages({ params: { id } });
  // @ts-expect-error a redirect is navigated to, not called
  void api.auth.startGoogle();
  // @ts-expect-error there is no such option
  void api.auth.user({}, { retries: 3 });
  // @ts-expect-error this operation takes no idempotency key
  void api.tasks.update({ params: { id }, body: {} }, { idempotencyKey: 'k' });
  // @ts-expect-error this operation takes no ETag
  void api.tasks.create({ params: { projectId: id }, body: { title: 'x' } }, { ifMatch: '"7"' });
  // @ts-expect-error a read takes neither
  void api.tasks.get({ params: { id } }, { ifMatch: '"7"' });
  // @ts-expect-error nothing distinguishes this Blob from others
  void upload(api, new Blob(), { collectionId: id, resume: { store: memoryUploads() } });
  // @ts-expect-error the collection is missing
  void upload(api, new Blob(), {});
}
