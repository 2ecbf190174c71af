/** Elements that make browsers detect HTML at the start of a text, and similar ones. */
const htmlElements = new Set(
  (
    'a article audio b base body br button details dialog div embed font footer form frameset ' +
    'h1 h2 h3 h4 h5 h6 head header html iframe img input link main marquee math meta nav noscript ' +
    'object ol p pre script section span style table template title ul video'
  ).split(' '),
);

const space = /[\t\n\f\r ]*/y;
const doctype = /<!doctype[\t\n\f\r ]+(?:[\w.-]+:)?([\w.-]+)/iy;
const startTag = /<(?:[\w.-]+:)?([\w.-]+)(?=[\t\n\f\r />]|$)/y;

/**
 * Detects documents that can contain scripts by their start: HTML, SVG and other XML, after any comments,
 * declarations and byte order marks.
 *
 * @returns null for everything else
 */
export function markupTypeOf(sample: Buffer): string | null {
  const text = textOf(sample);
  const beginning = matchAt(space, text, 0)?.[0].length ?? 0;
  if (text[beginning] !== '<') return null;
  const { names, isXml, isComment } = prologOf(text, beginning);
  if (names.has('svg')) return 'image/svg+xml';
  if (isXml) return names.has('html') ? 'application/xhtml+xml' : 'application/xml';
  // Browsers detect HTML if the text starts with a comment.
  return isComment || [...names].some((name) => htmlElements.has(name)) ? 'text/html' : null;
}

/** Returns the names of the first element and of the document type. */
function prologOf(text: string, beginning: number) {
  const names = new Set<string>();
  let isXml = false;
  let isComment = false;
  let at = beginning;
  while (at < text.length) {
    at += matchAt(space, text, at)?.[0].length ?? 0;
    if (text.startsWith('<?', at)) {
      isXml ||= /^<\?xml[\t\n\r ]/.test(text.slice(at, at + 6));
      at = endOf('?>', text, at);
    } else if (text.startsWith('<!--', at)) {
      isComment = true;
      at = endOf('-->', text, at);
    } else {
      const declared = matchAt(doctype, text, at);
      const name = (declared ?? matchAt(startTag, text, at))?.[1]?.toLowerCase();
      if (name === undefined) break;
      names.add(name);
      if (!declared) {
        isXml ||= /[\t\n\r ]xmlns(:[\w.-]+)?=/.test(text.slice(at, endOf('>', text, at)));
        break;
      }
      at = endOfDoctype(text, at);
    }
  }
  return { names, isXml, isComment };
}

/** A document type may contain declarations in brackets. */
function endOfDoctype(text: string, at: number): number {
  const end = endOf('>', text, at);
  const bracket = text.indexOf('[', at);
  return bracket < 0 || bracket > end ? end : endOf('>', text, endOf(']', text, bracket));
}

function endOf(mark: string, text: string, at: number): number {
  const found = text.indexOf(mark, at);
  return found < 0 ? text.length : found + mark.length;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Decodes like a browser: by the byte order mark, or by the encoding of the first `<`. */
function textOf(sample: Buffer): string {
  const [first, second] = sample;
  if (first === 0xff && second === 0xfe) return utf16(sample, 'utf-16le');
  if (first === 0xfe && second === 0xff) return utf16(sample, 'utf-16be');
  if (first === 0x3c && second === 0) return utf16(sample, 'utf-16le');
  if (first === 0 && second === 0x3c) return utf16(sample, 'utf-16be');
  // All relevant characters are ASCII.
  return sample.toString('latin1').replace(/^ï»¿/, '');
}

function utf16(sample: Buffer, encoding: 'utf-16le' | 'utf-16be'): string {
  return new TextDecoder(encoding).decode(sample);
}
