/** Markup that is safe to put into a page as it is. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | number | null | false | undefined | readonly Part[];

/** A template of markup: what is put into it is escaped, unless it is {@link Html} itself. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(
    strings.reduce((before, after, index) => before + textOf(parts[index - 1]) + after),
  );
}

function textOf(part: Part): string {
  if (part === null || part === undefined || part === false) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(textOf).join('');
  return escaped(String(part));
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** Texts of the contract: paragraphs, `code` and **strong**, which is all of Markdown they use. */
export function prose(text: string): Html[] {
  return text
    .split(/\n{2,}/)
    .filter(Boolean)
    .map((paragraph) => html`<p>${inline(paragraph)}</p>`);
}

/** As {@link prose}, within a line. */
export function inline(text: string): Html[] {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((piece) => {
    if (/^`.+`$/.test(piece)) return html`<code>${piece.slice(1, -1)}</code>`;
    if (/^\*\*.+\*\*$/.test(piece)) return html`<strong>${inline(piece.slice(2, -2))}</strong>`;
    return html`${piece}`;
  });
}
