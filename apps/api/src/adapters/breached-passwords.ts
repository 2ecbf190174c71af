import { createHash } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import type { BreachedPasswords } from '../ports/breached-passwords.ts';
import { fetchText } from './fetch-text.ts';

const prefixDigits = 5;
const bounds = { timeoutMs: 2_000, maxBytes: 1024 ** 2 };

/** Where nobody is asked, nothing is known. */
export const noBreachedPasswords: BreachedPasswords = { include: () => Promise.resolve(false) };

/**
 * Asks a range service, as haveibeenpwned.com has it: it is told five digits of a password's SHA-1, and
 * answers with the rest of all that begin so. The padding keeps the length of its answer from telling more.
 *
 * When it is away, passwords are taken: nobody should have to wait for a service elsewhere to register.
 *
 * @param address - what the five digits are put behind, without a trailing slash
 */
export function createBreachedPasswords(
  address: string,
  log: FastifyBaseLogger,
): BreachedPasswords {
  return {
    async include(password) {
      // Not to keep it, but because that is what the service goes by.
      const hash = createHash('sha1').update(password).digest('hex').toUpperCase();
      const rest = hash.slice(prefixDigits);
      try {
        const init = { headers: { 'add-padding': 'true', 'user-agent': 'atelier' } };
        const url = `${address}/${hash.slice(0, prefixDigits)}`;
        const { status, text } = await fetchText(url, init, bounds);
        if (status !== 200) throw new Error(`the service answered ${status}`);
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
