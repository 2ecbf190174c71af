import { randomBytes } from 'node:crypto';
import slugify from '@sindresorhus/slugify';

/** Characters that a slug keeps of a name. */
const maxNameCharacters = 60;

/**
 * Slugs that an organization of this name may get, the best first: the name in ASCII, lower case, with
 * dashes, and after that with some random digits for a name that is taken. Endless.
 */
export function* slugsFor(name: string): Generator<string, never> {
  const plain = slugify(name, { decamelize: false }).slice(0, maxNameCharacters);
  const stem = plain.replace(/-+$/, '') || 'team';
  yield stem;
  for (;;) yield `${stem}-${randomBytes(4).toString('hex')}`;
}
