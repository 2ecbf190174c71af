import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { launchChromium } from './chromium.ts';
import { takePictures } from './pictures.ts';
import { startStack } from './stack.ts';

/** Pictures of pages and scenes, for people to look at. Beginnings of names as arguments choose. */
const wanted = process.argv.slice(2);
const directory = join(import.meta.dirname, '../../../../reports/screenshots');

mkdirSync(directory, { recursive: true });
const { stack, stop } = await startStack();
const browser = await launchChromium();
try {
  const count = await takePictures({ browser, stack }, { directory, wanted });
  console.log(`${count} pictures of pages and scenes: ${directory}`);
} finally {
  await browser.close();
  await stop();
}
