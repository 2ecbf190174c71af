/** What the command line names, beside the variables of the environment. */
export interface Options {
  /** Names, separated by commas. The service knows them. */
  readonly toolsets?: string;
  readonly readOnly?: true;
}

/** Which service the program speaks to, and as whom. */
export interface Settings {
  /** Of the service's `/mcp`, with what narrows the tools. */
  readonly address: URL;
  readonly key: string;
}

/** A variable or the command line is wrong; the message says what is expected. */
export class UsageError extends Error {}

/**
 * Reads the settings. An empty variable counts as unset.
 *
 * @throws UsageError if a variable is missing or malformed
 */
export function settingsOf(
  options: Options,
  environment: Readonly<Record<string, string | undefined>>,
): Settings {
  const { ATELIER_URL: url, ATELIER_KEY: key } = environment;
  if (!url)
    throw new UsageError('Which service? Set ATELIER_URL, such as https://api.example.com.');
  if (!key) {
    throw new UsageError('Set ATELIER_KEY to an API key, which you create in the web app.');
  }
  // It becomes a header, whose errors would print it.
  if (!/^atl_\w+$/.test(key)) {
    throw new UsageError('ATELIER_KEY is no API key: expected one that starts with atl_.');
  }
  return { address: addressOf(url, options), key };
}

function addressOf(url: string, { toolsets, readOnly }: Options): URL {
  const address = URL.canParse(url) ? new URL(url) : null;
  if (!address || !isOfService(address)) {
    throw new UsageError('ATELIER_URL is no address such as https://api.example.com.');
  }
  address.pathname = `${address.pathname.replace(/\/+$/, '')}/mcp`;
  if (toolsets !== undefined) address.searchParams.set('toolsets', toolsets);
  if (readOnly) address.searchParams.set('mode', 'read-only');
  return address;
}

/** What narrows the tools is given by options, and the password of an address would be printed with it. */
function isOfService({ protocol, username, password, search, hash }: URL): boolean {
  return /^https?:$/.test(protocol) && `${username}${password}${search}${hash}` === '';
}
