/** Maximum number of people that one comment notifies. */
const maxMentioned = 20;

/** A member who can be mentioned, by email or by name. */
export interface Mentionable {
  readonly id: string;
  readonly email: string;
  readonly displayName: string;
}

// Neither within an email address nor within a web address, such as `https://example.com/@ada`.
const mentionMark = /(?<![\p{L}\p{N}\p{M}_+%/=@-])@(?=[^\s@])/gu;

// `@ada` is no mention in `@adam`, `@ada.b` or `@ada@example.com`, but Ada in `@ada.` and `@ada's`.
const nameEnd = /(?![\p{L}\p{N}\p{M}_]|[.@+-][\p{L}\p{N}_])/uy;

/** Whether a text can contain a mention: a cheap check, so that most comments don't load the members. */
export function mayMention(body: string): boolean {
  return body.search(mentionMark) !== -1;
}

/**
 * Finds the mentioned members: `@` and an email or a display name, in any case; the longest name wins.
 *
 * Takes time proportional to the text, times the number of distinct name lengths.
 *
 * @returns ids in the order of the text, each once, at most 20
 */
export function mentionedIn(body: string, people: readonly Mentionable[]): string[] {
  const text = folded(body);
  const idsByName = indexByName(people);
  const lengths = [...new Set([...idsByName.keys()].map((name) => name.length))].toSorted(
    (a, b) => b - a,
  );
  const mentioned = new Set<string>();
  for (const { index } of text.matchAll(mentionMark)) {
    const start = index + 1;
    const length = lengths.find(
      (candidate) =>
        idsByName.has(text.slice(start, start + candidate)) && endsAt(text, start + candidate),
    );
    if (length === undefined) continue;
    for (const id of idsByName.get(text.slice(start, start + length)) ?? []) mentioned.add(id);
    if (mentioned.size >= maxMentioned) break;
  }
  return [...mentioned].slice(0, maxMentioned);
}

/**
 * Finds the members whom an edit mentions and the previous text did not.
 *
 * @param bodies - `before` is empty for a new comment
 */
export function newlyMentioned(
  bodies: { readonly before: string; readonly after: string },
  people: readonly Mentionable[],
): string[] {
  const before = new Set(mentionedIn(bodies.before, people));
  return mentionedIn(bodies.after, people).filter((id) => !before.has(id));
}

function indexByName(people: readonly Mentionable[]): ReadonlyMap<string, readonly string[]> {
  const ids = new Map<string, string[]>();
  for (const { id, email, displayName } of people) {
    for (const name of [folded(email), folded(displayName)]) {
      const sameName = ids.get(name) ?? [];
      ids.set(name, sameName);
      sameName.push(id);
    }
  }
  return ids;
}

function endsAt(text: string, index: number): boolean {
  nameEnd.lastIndex = index;
  return nameEnd.test(text);
}

/** Normalizes a name for comparison: ignores case, Unicode composition and the number of blanks. */
function folded(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\S\r\n]+/g, ' ');
}
