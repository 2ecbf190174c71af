import { createClient, type Client } from '@atelier/client';
import { UsageError } from './failures.ts';
import { openStore, type Store } from './store.ts';
import { variable, type Terminal } from './terminal.ts';

/** Options of every command. */
export interface GlobalOptions {
  readonly url?: string;
  readonly organization?: string;
  readonly json?: true;
}

/** What a command works with. */
export interface Session {
  readonly terminal: Terminal;
  readonly store: Store;
  readonly api: Client;
  /** Of the service, without a slash at the end. */
  readonly url: string;
  readonly isJson: boolean;
}

/** @throws UsageError if no option, variable or earlier sign-in names the service */
export function openSession(terminal: Terminal, options: GlobalOptions): Session {
  const store = openStore(terminal);
  const given = options.url ?? variable(terminal, 'ATELIER_URL') ?? store.read().url;
  if (given === undefined) {
    throw new UsageError('Which service? Give --url https://api.example.com or set ATELIER_URL.');
  }
  const url = normalized(given);
  const organizationId = options.organization ?? variable(terminal, 'ATELIER_ORGANIZATION');
  const api = createClient({
    baseUrl: url,
    apiKey: variable(terminal, 'ATELIER_API_KEY'),
    tokens: store.tokensOf(url),
    organizationId,
  });
  return { terminal, store, api, url, isJson: options.json === true };
}

function normalized(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (!parsed || !/^https?:$/.test(parsed.protocol)) {
    throw new UsageError(`${url} is no address such as https://api.example.com.`);
  }
  return parsed.href.replace(/\/+$/, '');
}
