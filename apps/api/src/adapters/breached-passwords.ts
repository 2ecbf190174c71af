import { createHash } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import type { BreachedPasswords } from '../ports/breached-passwords.ts';
import { fetchText } from './fetch-text.ts';

const prefixDigits = 5;
const bounds = { timeoutMs: 2_000, maxBytes: 1024 ** 2 };

/** Without a service to query, every password counts as not breached. */
export const noBreachedPasswords: BreachedPasswords = { include: () => Promise.resolve(false) };

/**
 * Queries a range service such as haveibeenpwned.com: it receives five digits of a password's SHA-1, and
 * returns the rest of all hashes with that prefix. Padding hides the length of the response.
 *
 * If the service is unavailable, passwords are accepted: sign-up must not depend on an external service.
 *
 * @param address - URL prefix of the five digits, without a trailing slash
 */
export function createBreachedPasswords(
  address: string,
  log: FastifyBaseLogger,
): BreachedPasswords {
  return {
    async include(password) {
      // Not for storage, but because the service uses this hash.
      const hash = createHash('sha1').update(password).digest('hex').toUpperCase();
      const rest = hash.slice(prefixDigits);
      try {
        const init = { headers: { 'add-padding': 'true', 'user-agent': 'atelier' } };
        const url = `${address}/${hash.slice(0, prefixDigits)}`;
        const { status, text } = await fetchText(url, init, bounds);
        if (status !== 200) throw new Error(`the service responded ${status}`);
        return text.split(/\r?\n/).some((line) => {
          const [suffix = '', count = ''] = line.split(':');
          // Padding has a count of 0.
          return suffix.toUpperCase() === rest && Number(count) > 0;
        });
      } catch (err) {
        log.warn({ err }, 'a password could not be looked up among the breached ones');
        return false;
      }
    },
  };
}
