import { LRUCache } from 'lru-cache';

/** The type that no browser runs or renders. */
const bytes = 'application/octet-stream';

/** Multipart types, of which a browser may render one part: MHTML, mixed-replace. */
const composite = /^(multipart|message)\//;

/** Browsers sniff these as if there were no type, and may detect HTML. */
const guessedAt = new Set(['unknown/unknown', 'application/unknown']);

/** Words in subtypes of documents with scripts, and of programs. */
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

/** The names of JavaScript and its dialects, with their versions. */
const script = /^(java|ecma|j|live|vb|wml)scriptc?\d*$/;

/** The known types of stored content, and its requested disposition. */
interface Content {
  /** The declared type. */
  readonly contentType: string;
  /** The detected type; null while unknown. */
  readonly detectedType: string | null;
  readonly disposition: 'attachment' | 'inline';
}

/**
 * Returns the response headers of the storage for stored content. Types that a browser could run, whether declared
 * or detected, become an attachment with a binary type: an innocent file name doesn't make content an image.
 */
export function servedAs(content: Content): Pick<Content, 'contentType' | 'disposition'> {
  const contentType = servedTypeOf(content.contentType);
  const { detectedType, disposition } = content;
  const isActive = detectedType !== null && servedTypeOf(detectedType) === bytes;
  if (contentType === bytes || isActive) return { contentType: bytes, disposition: 'attachment' };
  return { contentType, disposition };
}

/**
 * Returns the media type that the storage sends for a declared one. Types that a browser could
 * run in the storage's origin are sent as binary, and so are invalid media types, because browsers sniff those.
 * All others are sent as declared.
 */
export const servedTypeOf = (declared: string): string => servedTypes.memo(declared);

/** There are few, and a page of assets asks hundreds of times. */
const servedTypes = new LRUCache<string, string>({ max: 200, memoMethod: servedTypeAnew });

function servedTypeAnew(declared: string): string {
  const [essence = '', ...parameters] = declared.split(';');
  const type = essence.trim().toLowerCase();
  const [, subtype] = /^[a-z0-9!#$&^_.+-]+\/([a-z0-9!#$&^_.+-]+)$/.exec(type) ?? [];
  // A parameter can contain a second type, which some parsers use instead of the first.
  if (subtype === undefined || parameters.length > 0) return bytes;
  if (composite.test(type) || guessedAt.has(type)) return bytes;
  const words = subtype.split(/[^a-z0-9]/);
  return words.some((word) => activeWords.has(word) || script.test(word)) ? bytes : type;
}
