import type { CommonTraffic } from '../scenario.ts';
import type { ServerProcess } from '../server-process.ts';
import type { TaskRow } from '../limit/rows.ts';

/** The team whose tasks S2 lists; each product is filled with it. */
export interface Team {
  readonly people: readonly { readonly id: string; readonly email: string }[];
  readonly organizationId: string;
  readonly tasks: readonly TaskRow[];
}

/** An installed product and its resources. */
export interface Installation {
  /** The URL of an empty database on the same server as the service's. */
  readonly databaseUrl: string;
  /** The directory where its package is installed. */
  readonly packageDir: string;
  readonly dataDir: string;
  readonly port: number;
}

/** The scenarios of a whole product, each with its requests. */
export interface ProductTraffic {
  readonly S1: CommonTraffic;
  readonly S2: CommonTraffic;
  readonly 'S2-writes'?: CommonTraffic;
}

export interface RunningProduct extends ProductTraffic {
  readonly server: ServerProcess;
}

/**
 * Sends a request to the API of a product.
 *
 * @throws Error with the response, if it isn't 2xx
 */
export async function request(
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
