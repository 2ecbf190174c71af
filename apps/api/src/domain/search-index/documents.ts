import { searchWordsOf, type SearchType } from '@atelier/contract';
import type { Fold } from '../folding.ts';

/** Of a title, a key, and so on, down to a text that merely mentions something. */
export type Weight = 'A' | 'B' | 'C' | 'D';

/** A resource as it is now. */
export interface Source {
  readonly type: SearchType;
  readonly id: string;
  readonly taskId?: string | null;
  readonly projectId?: string | null;
  readonly collectionId?: string | null;
  readonly personId?: string | null;
  readonly title: string;
  /** Parts of a field follow each other; words of different fields don't. */
  readonly fields: readonly (readonly (readonly [Weight, string])[])[];
}

/** Characters of a text that are searched. */
export const maxBodyLength = 20_000;
const maxLexemes = 2_000;
/** As the database keeps it. */
const maxPosition = 16_383;
const maxPositionsOfLexeme = 60;
const maxTitleLength = 1_000;
/** The rest of a longer word isn't searched. */
const maxLexemeLength = 64;

/** A word that folds to one word. */
const plainWord = /^[a-zA-Z\d]+$/;

/**
 * Returns the words of a text as they are stored and searched: folded, without any sign. A letter may become several words.
 */
export function lexemesOf(text: string, fold: Fold): string[] {
  const words = plainWord.test(text) ? [text] : searchWordsOf(text);
  return words.flatMap((word) => {
    const folded = fold(word);
    const lexemes = plainWord.test(folded) ? [folded] : searchWordsOf(folded);
    return lexemes.map((lexeme) => lexeme.slice(0, maxLexemeLength));
  });
}

/** Counts what of a resource is folded. */
export function charactersOf({ title, fields }: Source): number {
  const texts = fields.flat().map(([, text]) => Math.min(text.length, maxBodyLength));
  return texts.reduce((sum, length) => sum + length, title.length);
}

/** Returns the folded title of a resource, and its words as the text of a `tsvector`. */
export function documentOf(source: Source, fold: Fold): { titleFolded: string; words: string } {
  const positions = new Map<string, string[]>();
  let position = 0;
  for (const field of source.fields) {
    for (const [weight, text] of field) {
      for (const lexeme of lexemesOf(text.slice(0, maxBodyLength), fold)) {
        position += 1;
        const known = positions.get(lexeme);
        if (!known && positions.size === maxLexemes) continue;
        if (position > maxPosition && known) continue;
        if (known && known.length === maxPositionsOfLexeme) continue;
        const place = `${Math.min(position, maxPosition)}${weight}`;
        if (known) known.push(place);
        else positions.set(lexeme, [place]);
      }
    }
    // No two words that follow each other.
    position += 1;
  }
  return {
    titleFolded: fold(source.title).slice(0, maxTitleLength),
    // Lexemes are of letters and digits only: nothing to escape.
    words: Array.from(positions, ([lexeme, places]) => `'${lexeme}':${places.join(',')}`).join(' '),
  };
}
