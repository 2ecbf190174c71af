import { S3Error } from './errors.ts';
import type { CorsRule } from './records.ts';
import { parseXml, xmlDocument } from './xml.ts';
import type { XmlNode } from './xml.ts';

const maxRules = 100;
const methods = new Set(['GET', 'PUT', 'POST', 'DELETE', 'HEAD']);

/** @throws S3Error `MalformedXML`, `InvalidRequest` */
export function readCorsConfiguration(body: string): CorsRule[] {
  const rules = parseXml(body, 'CORSConfiguration').children('CORSRule');
  if (rules.length === 0 || rules.length > maxRules) throw new S3Error('MalformedXML');
  return rules.map(readRule);
}

export function writeCorsConfiguration(rules: readonly CorsRule[]): string {
  return xmlDocument('CORSConfiguration', {
    CORSRule: rules.map((rule) => ({
      ID: rule.id,
      AllowedOrigin: rule.allowedOrigins,
      AllowedMethod: rule.allowedMethods,
      AllowedHeader: rule.allowedHeaders,
      ExposeHeader: rule.exposeHeaders,
      MaxAgeSeconds: rule.maxAgeSeconds,
    })),
  });
}

function readRule(node: XmlNode): CorsRule {
  const texts = (name: string): string[] =>
    node.children(name).map((child) => child.ownText().trim());
  const allowedOrigins = texts('AllowedOrigin');
  const allowedMethods = texts('AllowedMethod');
  const allowedHeaders = texts('AllowedHeader');
  const exposeHeaders = texts('ExposeHeader');
  if (allowedOrigins.length === 0 || allowedMethods.length === 0) throw new S3Error('MalformedXML');
  const unknownMethod = allowedMethods.find((method) => !methods.has(method));
  if (unknownMethod !== undefined) {
    throw new S3Error('InvalidRequest', {
      message: `Found unsupported HTTP method in CORS config. Unsupported method is ${unknownMethod}`,
    });
  }
  const wild = [...allowedOrigins, ...allowedHeaders].find((value) => value.split('*').length > 2);
  if (wild !== undefined) {
    throw new S3Error('InvalidRequest', {
      message: `"${wild}" can not have more than one wildcard.`,
    });
  }
  if (exposeHeaders.some((name) => !/^[A-Za-z0-9-]+$/.test(name))) {
    throw new S3Error('InvalidRequest', { message: 'An ExposeHeader is not a header name.' });
  }
  const id = node.text('ID');
  const maxAge = node.text('MaxAgeSeconds')?.trim();
  if (maxAge !== undefined && !/^\d{1,9}$/.test(maxAge)) throw new S3Error('MalformedXML');
  return {
    ...(id === undefined ? {} : { id }),
    allowedOrigins,
    allowedMethods,
    allowedHeaders,
    exposeHeaders,
    ...(maxAge === undefined ? {} : { maxAgeSeconds: Number(maxAge) }),
  };
}
