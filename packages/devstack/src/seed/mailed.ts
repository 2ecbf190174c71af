import { setTimeout as delay } from 'node:timers/promises';

const pollMs = 40;
/** A busy machine takes several times as long as an idle one, which takes a second. */
const timeoutMs = 120_000;

interface Wanted {
  readonly mailUrl: string;
  readonly email: string;
  /** Matches a link; its first group is the token. */
  readonly link: RegExp;
  readonly signal: AbortSignal;
}

/**
 * Tries the tokens of the mailed links until one works. After an interrupted seed, an older, void one may arrive
 * first.
 *
 * @throws Error when no valid one arrives, or the signal is aborted
 */
export async function followMailedLink(
  { mailUrl, email, link, signal }: Wanted,
  tryToken: (token: string) => Promise<boolean>,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  let tried: string | undefined;
  while (performance.now() < deadline) {
    const response = await fetch(`${mailUrl}/email`, { signal });
    const token = newestToken(email, link, await response.json());
    if (token !== undefined && token !== tried) {
      tried = token;
      if (await tryToken(token)) return;
    }
    await delay(pollMs, undefined, { signal });
  }
  throw new Error(`no mail with a valid link arrived for ${email}`);
}

function newestToken(email: string, link: RegExp, mails: unknown): string | undefined {
  if (!Array.isArray(mails)) return undefined;
  return mails
    .map((mail: unknown) => JSON.stringify(mail))
    .filter((text) => text.includes(`"address":${JSON.stringify(email)}`))
    .map((text) => link.exec(text)?.[1])
    .findLast((token) => token !== undefined);
}
