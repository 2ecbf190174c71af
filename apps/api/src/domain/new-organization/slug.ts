import { randomBytes } from 'node:crypto';
import slugify from '@sindresorhus/slugify';

/** Maximum length of the name's part in a slug. */
const maxNameCharacters = 60;

/**
 * Generates slugs for an organization's name, the best first: the name in ASCII, lower case, with
 * dashes, followed by variants with random digits. Endless.
 */
export function* slugsFor(name: string): Generator<string, never> {
  const plain = slugify(name, { decamelize: false }).slice(0, maxNameCharacters);
  const stem = plain.replace(/-+$/, '') || 'team';
  yield stem;
  for (;;) yield `${stem}-${randomBytes(4).toString('hex')}`;
}
