import { describe, expect, test } from 'vitest';
import { servedTypeOf } from './served-type.ts';

const bytes = 'application/octet-stream';

describe('serves as bytes', () => {
  test.each([
    ['HTML', 'text/html', 'text/htm', 'text/x-server-parsed-html', 'application/x-shtml'],
    ['XHTML', 'application/xhtml+xml', 'application/xhtml', 'application/vnd.wap.xhtml+xml'],
    ['SVG', 'image/svg+xml', 'image/svg', 'image/svg-xml', 'image/svg+xml-compressed'],
    [
      'XML',
      'text/xml',
      'application/xml',
      'application/xml-dtd',
      'text/xml-external-parsed-entity',
    ],
    ['what is written in XML', 'application/rss+xml', 'application/atom+xml', 'model/x3d+xml'],
    [
      'XML by another name',
      'application/rdf',
      'text/rdf',
      'application/mathml',
      'text/vnd.wap.wml',
    ],
    ['XSLT', 'text/xsl', 'application/xslt+xml', 'text/xslt'],
    ['old interface languages', 'application/vnd.mozilla.xul+xml', 'text/xul', 'text/x-component'],
    ['JavaScript', 'text/javascript', 'application/javascript', 'application/x-javascript'],
    ['JavaScript with a version', 'text/javascript1.0', 'text/javascript1.5', 'text/javascript2'],
    ['its relatives', 'text/ecmascript', 'application/x-ecmascript', 'text/jscript'],
    ['its forerunner', 'text/livescript', 'text/vbscript', 'text/scriptlet'],
    ['WML', 'text/vnd.wap.wml', 'text/vnd.wap.wmlscript', 'application/vnd.wap.wmlscriptc'],
    ['MHTML', 'message/rfc822', 'multipart/related', 'application/x-mhtml', 'message/global'],
    ['a stream of documents', 'multipart/x-mixed-replace', 'multipart/mixed'],
    ['Flash and the like', 'application/x-shockwave-flash', 'application/futuresplash'],
    ['programs', 'application/hta', 'application/x-java-applet', 'application/x-xpinstall'],
    ['programs of plug-ins', 'application/x-silverlight-app', 'application/x-silverlight-2'],
    ['what browsers guess at', 'unknown/unknown', 'application/unknown'],
  ])('%s', (_, ...types) => {
    for (const type of types) expect([type, servedTypeOf(type)]).toEqual([type, bytes]);
  });

  test.each([
    'TEXT/HTML',
    ' text/html ',
    'text/html\t',
    'text/html;charset=utf-8',
    'text/html ; charset="utf-8"',
    'image/png;,text/html',
    'image/png,text/html',
    'image/png, text/html',
    'image/png\r\nContent-Type: text/html',
    'text/html\0',
    'text /html',
    'text/ html',
    'text//html',
    'image/png/svg+xml',
    'image/SVG+XML',
    'ımage/svg+xml',
    'text',
    '/',
    '/html',
    'text/',
    '*/*',
    '',
    ' ',
    'null',
    'image',
  ])('the spelling %j', (type) => {
    expect(servedTypeOf(type)).toBe(bytes);
  });
});

test.each([
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/avif',
  'image/gif',
  'image/vnd.adobe.photoshop',
  'audio/mpeg',
  'video/mp4',
  'font/woff2',
  'text/plain',
  'text/csv',
  'text/markdown',
  'text/css',
  'application/pdf',
  'application/json',
  'application/ld+json',
  'application/zip',
  'application/gzip',
  'application/postscript',
  'application/typescript',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.presentationml.slideshow',
  'application/vnd.oasis.opendocument.text',
  bytes,
])('%s is served as declared', (type) => {
  expect(servedTypeOf(type)).toBe(type);
});
