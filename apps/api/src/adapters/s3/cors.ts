import { XMLParser } from 'fast-xml-parser';
import { z } from 'zod';

const texts = z.array(z.string()).default([]);

const CorsRule = z.object({
  ID: z.string().optional(),
  AllowedOrigin: texts,
  AllowedMethod: texts,
  AllowedHeader: texts,
  ExposeHeader: texts,
  MaxAgeSeconds: z.string().optional(),
});
type CorsRule = z.infer<typeof CorsRule>;

const Document = z.object({
  CORSConfiguration: z.preprocess(
    // The parser turns an empty element into an empty string.
    (content) => (content === '' ? {} : content),
    z.object({ CORSRule: z.array(CorsRule).default([]) }),
  ),
});

const repeated = ['CORSRule', 'AllowedOrigin', 'AllowedMethod', 'AllowedHeader', 'ExposeHeader'];

const parser = new XMLParser({
  ignoreAttributes: true,
  ignoreDeclaration: true,
  parseTagValue: false,
  isArray: (name) => repeated.includes(name),
});

/** Marks the service's rule among the rules of others. */
const ourId = 'atelier';

/**
 * Adds the rule to a bucket's CORS configuration that pages need to upload parts and to read stored objects;
 * rules of others stay.
 *
 * @param current - the bucket's configuration; null when it has none
 * @returns the configuration to set; null if the bucket already allows everything
 * @throws ZodError if `current` is not a CORS configuration
 */
export function corsFor(origins: readonly string[], current: string | null): string | null {
  const rules =
    current === null ? [] : Document.parse(parser.parse(current)).CORSConfiguration.CORSRule;
  if (origins.every((origin) => rules.some((rule) => suffices(rule, origin)))) return null;
  const others = rules.filter((rule) => rule.ID !== ourId);
  return document([...others, ruleFor(origins)]);
}

const methods = ['GET', 'PUT', 'HEAD'];

function ruleFor(origins: readonly string[]): CorsRule {
  return {
    ID: ourId,
    AllowedOrigin: [...origins],
    AllowedMethod: methods,
    AllowedHeader: ['*'],
    // Completing an upload requires the ETag of each part.
    ExposeHeader: ['ETag'],
    MaxAgeSeconds: '3600',
  };
}

function suffices(rule: CorsRule, origin: string): boolean {
  return (
    [origin, '*'].some((allowed) => rule.AllowedOrigin.includes(allowed)) &&
    methods.every((method) => rule.AllowedMethod.includes(method)) &&
    rule.AllowedHeader.includes('*') &&
    rule.ExposeHeader.some((name) => name.toLowerCase() === 'etag')
  );
}

function document(rules: readonly CorsRule[]): string {
  const content = rules.map((rule) => element('CORSRule', elementsOf(rule))).join('');
  return `<CORSConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${content}</CORSConfiguration>`;
}

function elementsOf(rule: CorsRule): string {
  return Object.entries(rule)
    .flatMap(([name, value]) => [value ?? []].flat().map((text) => element(name, escaped(text))))
    .join('');
}

function element(name: string, content: string): string {
  return `<${name}>${content}</${name}>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
