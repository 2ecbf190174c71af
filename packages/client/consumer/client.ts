import {
  ApiError,
  createClient,
  localStorageTokens,
  type Asset,
  type ErrorOf,
  type Task,
} from '@atelier/client';
import { localStorageUploads } from '@atelier/client/resume';
import { upload } from '@atelier/client/upload';

const api = createClient({
  baseUrl: 'https://api.example.com',
  tokens: localStorageTokens(),
  onSessionExpired: () => location.assign('/login'),
});

export async function everyForm(id: string, file: File): Promise<Task | undefined> {
  const assets: Asset[] = [];
  for await (const asset of api.assets.list.iterate({ query: { limit: 50 } })) assets.push(asset);
  const task = upload(api, file, { collectionId: id, resume: { store: localStorageUploads() } });
  for await (const { loadedBytes, secondsLeft } of task) show(loadedBytes, secondsLeft);

  const result = await api.tasks.update({ params: { id }, body: { title: 'x' } }).result();
  if (result.ok) return result.data;
  if (result.error.code === 'validation_failed') show(result.error.issues.length, null);
  // @ts-expect-error this operation never returns it
  if (result.error.code === 'last_owner') return undefined;
  return undefined;
}

export function describe(error: unknown): string {
  return error instanceof ApiError ? `${error.code} ${error.status}` : String(error);
}

export const code: ErrorOf<'organizations.removeMember'>['code'] = 'last_owner';

function show(amount: number, secondsLeft: number | null): void {
  document.title = `${amount} ${secondsLeft ?? ''}`;
}
