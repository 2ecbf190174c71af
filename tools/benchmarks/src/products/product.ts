import type { CommonTraffic } from '../side-by-side.ts';
import type { ServerProcess } from '../server-process.ts';
import type { TaskRow } from '../limit/rows.ts';

/** What a product is filled with: the team whose tasks S2 lists. */
export interface Team {
  readonly people: readonly { readonly id: string; readonly email: string }[];
  readonly organizationId: string;
  readonly tasks: readonly TaskRow[];
}

/** Where a product runs. */
export interface Place {
  /** Of an empty database of its own, on the same server as the service's. */
  readonly databaseUrl: string;
  /** With its package installed. */
  readonly packageDir: string;
  readonly dataDir: string;
  readonly port: number;
}

export interface RunningProduct {
  readonly server: ServerProcess;
  readonly S1: CommonTraffic;
  readonly S2: CommonTraffic;
}

/**
 * Calls a product's own API.
 *
 * @throws Error with what it answered, unless by 2xx
 */
export async function call(
  url: string,
  {
    method = 'POST',
    headers = {},
    body,
  }: { method?: string; headers?: Readonly<Record<string, string>>; body?: unknown },
): Promise<unknown> {
  const response = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`);
  return text === '' ? null : JSON.parse(text);
}
