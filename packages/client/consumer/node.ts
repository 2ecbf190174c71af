import { createClient, type Client, type TokenStore } from '@atelier/client';
import { subscribe } from '@atelier/client/events';
import { memoryUploads } from '@atelier/client/resume';
import { beginSignIn } from '@atelier/client/sign-in';
import { upload } from '@atelier/client/upload';

declare global {
  // What every runtime has, and no more: the client needs no other type of the DOM.
  interface AbortSignal {}
  interface Blob {}
  interface Headers {}
  interface RequestInit {}
  interface Response {}
  interface Console {
    debug(...data: unknown[]): void;
    warn(...data: unknown[]): void;
  }
  function fetch(url: string, init?: RequestInit): Promise<Response>;
}

/** A program of a runtime without a DOM. */
export async function everyEntry(tokens: TokenStore, content: Blob): Promise<string> {
  const api: Client = createClient({ baseUrl: 'https://api.example.com', tokens });
  const resume = { store: memoryUploads(), key: 'report' };
  await upload(api, content, { collectionId: 'c', resume }).done;
  for await (const update of subscribe(api)) if (update.event === 'reset') break;
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
  return beginSignIn(api, 'google', { storage });
}
