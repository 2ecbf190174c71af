import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { S3Error } from './errors.ts';

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
const namespace = 'http://s3.amazonaws.com/doc/2006-03-01/';

/** Text or nested elements; an undefined value writes no element, a list writes one element per item. */
type XmlValue = string | number | boolean | undefined | XmlElements | readonly XmlValue[];
export interface XmlElements {
  [name: string]: XmlValue;
}

/** Builds a document in S3's namespace. */
export function xmlDocument(root: string, content: XmlElements | string): string {
  const inner = typeof content === 'string' ? escapeXml(content) : writeElements(content);
  return `${declaration}<${root} xmlns="${namespace}">${inner}</${root}>`;
}

/** Builds an error document, which has no namespace in S3. */
export function xmlErrorDocument(content: XmlElements): string {
  return `${declaration}<Error>${writeElements(content)}</Error>`;
}

function writeElements(elements: XmlElements): string {
  return Object.entries(elements)
    .map(([name, value]) => writeElement(name, value))
    .join('');
}

function writeElement(name: string, value: XmlValue): string {
  if (value === undefined) return '';
  if (isList(value)) return value.map((item) => writeElement(name, item)).join('');
  const content = typeof value === 'object' ? writeElements(value) : escapeXml(String(value));
  return `<${name}>${content}</${name}>`;
}

function isList(value: XmlValue): value is readonly XmlValue[] {
  return Array.isArray(value);
}

const named: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

// XML 1.0 forbids control characters, even escaped; S3 writes references to them nevertheless.
function escapeXml(text: string): string {
  return text.replace(
    // oxlint-disable-next-line no-control-regex -- finding control characters is the point
    /[&<>"'\u0000-\u001f\u007f-\u009f\ufffe\uffff]/g,
    (character) => named[character] ?? `&#x${character.charCodeAt(0).toString(16)};`,
  );
}

const parser = new XMLParser({
  ignoreAttributes: true,
  ignoreDeclaration: true,
  maxNestedTags: 10,
  parseTagValue: false,
  processEntities: false,
  removeNSPrefix: true,
  // A key may start or end with white space.
  trimValues: false,
});

/** A parsed element: text, or children by name. */
export class XmlNode {
  readonly #value: unknown;

  constructor(value: unknown) {
    this.#value = value;
  }

  /** Returns the child elements of a name, in document order. */
  children(name: string): XmlNode[] {
    if (typeof this.#value !== 'object' || this.#value === null) return [];
    const found: unknown = Object.entries<unknown>({ ...this.#value }).find(
      ([candidate]) => candidate === name,
    )?.[1];
    if (found === undefined) return [];
    return (Array.isArray(found) ? found : [found]).map((value: unknown) => new XmlNode(value));
  }

  /** Returns the text of the only child of a name. @throws S3Error `MalformedXML` when there are several or it isn't text */
  text(name: string): string | undefined {
    const [child, ...others] = this.children(name);
    if (child === undefined) return undefined;
    if (others.length > 0) throw new S3Error('MalformedXML');
    return child.ownText();
  }

  /** Returns the text. @throws S3Error `MalformedXML` when the element has children */
  ownText(): string {
    if (typeof this.#value !== 'string') throw new S3Error('MalformedXML');
    return decodeReferences(this.#value);
  }
}

/**
 * Parses a request document.
 *
 * @throws S3Error `MalformedXML`, also for a document type: S3's documents have none, and entities can attack
 *   a parser
 */
export function parseXml(text: string, root: string): XmlNode {
  if (/<!(DOCTYPE|ENTITY)/i.test(text)) throw new S3Error('MalformedXML');
  try {
    if (XMLValidator.validate(text) !== true) throw new S3Error('MalformedXML');
    const [document, ...others] = new XmlNode(parser.parse(text)).children(root);
    if (document === undefined || others.length > 0) throw new S3Error('MalformedXML');
    return document;
  } catch (cause) {
    if (cause instanceof S3Error) throw cause;
    throw new S3Error('MalformedXML');
  }
}

const references: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

function decodeReferences(text: string): string {
  return text.replace(/&([^;&]*)(;?)/g, (_, name: string, semicolon: string) => {
    const character = semicolon === '' ? undefined : (references.get(name) ?? decodeNumeric(name));
    if (character === undefined) throw new S3Error('MalformedXML');
    return character;
  });
}

function decodeNumeric(name: string): string | undefined {
  const [, hex, decimal] = /^#(?:x([0-9a-fA-F]{1,6})|(\d{1,7}))$/.exec(name) ?? [];
  const codePoint = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  if (!(codePoint <= 0x10ffff) || (codePoint >= 0xd800 && codePoint <= 0xdfff)) return undefined;
  return String.fromCodePoint(codePoint);
}
