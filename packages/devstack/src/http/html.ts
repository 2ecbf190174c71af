/** Safe markup: created by `html`, which escapes every inserted text. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

type Inserted = string | number | Html | readonly Html[];

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

function markupOf(inserted: Inserted): string {
  if (inserted instanceof Html) return inserted.markup;
  if (typeof inserted === 'object') return inserted.map((part) => part.markup).join('');
  return escapeHtml(String(inserted));
}

/** Builds markup from a template; escapes texts, and inserts `Html` and lists of it unchanged. */
export function html(parts: TemplateStringsArray, ...inserted: Inserted[]): Html {
  const markup = parts.map((part, index) => {
    const value = inserted[index];
    return value === undefined ? part : part + markupOf(value);
  });
  return new Html(markup.join(''));
}
