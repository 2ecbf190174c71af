/** What no browser runs or renders. */
const bytes = 'application/octet-stream';

/** Made of several parts, of which a browser may render one: MHTML, mixed-replace. */
const composite = /^(multipart|message)\//;

/** Browsers guess at these as if there were no type, and the guess can be HTML. */
const guessedAt = new Set(['unknown/unknown', 'application/unknown']);

/** Words of a subtype that stand for documents which can hold scripts, and for programs. */
const activeWords = new Set([
  'html',
  'htm',
  'xhtml',
  'xht',
  'mhtml',
  'shtml',
  'hta',
  'htc',
  'xml',
  'svg',
  'xsl',
  'xslt',
  'xul',
  'xbl',
  'rdf',
  'mathml',
  'wml',
  'component',
  'scriptlet',
  'applet',
  'flash',
  'futuresplash',
  'silverlight',
  'xbap',
  'xpinstall',
  'webbundle',
]);

/** The names that the language and its relatives have had, with their versions. */
const script = /^(java|ecma|j|live|vb|wml)scriptc?\d*$/;

/** What is known of a content that is to be shown, and how its owner wants that. */
interface Content {
  /** As it was declared. */
  readonly contentType: string;
  /** By the content's own bytes; null while unknown. */
  readonly detectedType: string | null;
  readonly disposition: 'attachment' | 'inline';
}

/**
 * How the storage answers with a content. What a browser could run, by its declared type or by its own
 * bytes, is an attachment of bytes: a harmless name on a page makes it no picture.
 */
export function servedAs(content: Content): Pick<Content, 'contentType' | 'disposition'> {
  const contentType = servedTypeOf(content.contentType);
  const { detectedType, disposition } = content;
  const isActive = detectedType !== null && servedTypeOf(detectedType) === bytes;
  if (contentType === bytes || isActive) return { contentType: bytes, disposition: 'attachment' };
  return { contentType, disposition };
}

/**
 * The media type that the storage answers with for content of a declared one. Whatever a browser could
 * run in the storage's origin is served as bytes, and so is what is no media type: browsers guess then.
 * Everything else is served as declared.
 */
export function servedTypeOf(declared: string): string {
  const [essence = '', ...parameters] = declared.split(';');
  const type = essence.trim().toLowerCase();
  const [, subtype] = /^[a-z0-9!#$&^_.+-]+\/([a-z0-9!#$&^_.+-]+)$/.exec(type) ?? [];
  // A parameter can hold a second type, which one reader or another takes for the first.
  if (subtype === undefined || parameters.length > 0) return bytes;
  if (composite.test(type) || guessedAt.has(type)) return bytes;
  const words = subtype.split(/[^a-z0-9]/);
  return words.some((word) => activeWords.has(word) || script.test(word)) ? bytes : type;
}
