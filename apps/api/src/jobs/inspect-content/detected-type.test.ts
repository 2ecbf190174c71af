import { expect, test } from 'vitest';
import { animatedPng, animatedWebp, someJpeg, somePng } from '../../testing/pictures.ts';
import { detectedTypeOf } from './detected-type.ts';

const detected = (content: Buffer | string) => detectedTypeOf(Buffer.from(content));
const utf16 = (text: string) => Buffer.from(text, 'utf16le');

test.each([
  ['<!DOCTYPE html><p>'],
  ['<!doctype HTML>'],
  ['\uFEFF<html>'],
  [' \t\r\n\f<HTML lang=en>'],
  ['<script>alert(1)</script>'],
  ['<ScRiPt/src=x>'],
  ['<!-- hello --><script>'],
  ['<!-- no end of it'],
  ['<!-- a --> <!-- b --> <body onload=x>'],
  ['<iframe src="x">'],
  ['<img src=x onerror=alert(1)>'],
  ['<a href="x">'],
  ['<b>'],
])('%j is HTML', async (text) => {
  expect(await detected(text)).toBe('text/html');
});

test.each([
  ['<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
  ['<?xml version="1.0"?><svg>'],
  ['<?xml version="1.0"?><!-- made by hand --><svg>'],
  ['<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x.dtd"><svg>'],
  ['<!DOCTYPE x [<!ENTITY a "<svg>">]><s:svg xmlns:s="http://www.w3.org/2000/svg">'],
  ['<?xml-stylesheet href="x.css"?>\n<svg>'],
  ['\uFEFF \n<SVG>'],
])('%j is SVG', async (text) => {
  expect(await detected(text)).toBe('image/svg+xml');
});

test.each([
  ['<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">', 'application/xhtml+xml'],
  ['<html xmlns="http://www.w3.org/1999/xhtml">', 'application/xhtml+xml'],
  ['<?xml version="1.0"?><feed>', 'application/xml'],
  ['<feed xmlns="http://www.w3.org/2005/Atom">', 'application/xml'],
  ['<?xml version="1.0"?>', 'application/xml'],
])('%j is %s', async (text, type) => {
  expect(await detected(text)).toBe(type);
});

test.each([
  ['with a mark', Buffer.concat([Buffer.from([0xff, 0xfe]), utf16('<svg>')])],
  ['without one', utf16('<svg>')],
  ['backwards', Buffer.from(utf16('\uFEFF<svg>')).swap16()],
])('SVG in UTF-16 %s is SVG', async (_, content) => {
  expect(await detected(content)).toBe('image/svg+xml');
});

test.each([
  [''],
  ['<'],
  ['< script>'],
  ['<3 this'],
  ['a <script>alert(1)</script>'],
  ['{"a": "<svg>"}'],
  ['# Title'],
  ['hello'],
  ['<unheard-of>'],
])('%j has no detectable type', async (text) => {
  expect(await detected(text)).toBeNull();
});

test('pictures and similar types are detected by their first bytes, however short the sample', async () => {
  const [png, jpeg, moving, webp] = await Promise.all([
    somePng(),
    someJpeg(),
    animatedPng(),
    animatedWebp(),
  ]);
  expect(await detected(png.subarray(0, 100))).toBe('image/png');
  expect(await detected(jpeg.subarray(0, 100))).toBe('image/jpeg');
  expect(await detected(moving)).toBe('image/apng');
  expect(await detected(webp.subarray(0, 60))).toBe('image/webp');
  expect(await detected('GIF89a/*<script>*/=alert(1)')).toBe('image/gif');
  expect(await detected('%PDF-1.7 <html>')).toBe('application/pdf');
  expect(await detected(Buffer.from('504b0304', 'hex'))).toBe('application/zip');
  // Parameters are cut off: a type with parameters would be served as bytes.
  const opus = Buffer.concat([Buffer.from('OggS'), Buffer.alloc(24), Buffer.from('OpusHead')]);
  expect(await detected(opus)).toBe('audio/ogg');
});

test('a long, hostile beginning costs no time', async () => {
  const start = performance.now();
  for (const piece of ['<!--', '<?', '<!doctype a [', ' ', '<a ', '<!-- -->', '<?a?>', ']>']) {
    await detected(piece.repeat(65_536 / piece.length));
  }
  expect(performance.now() - start).toBeLessThan(2_000);
});
