import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { launchChromium } from './chromium.ts';
import { takeScreenshots } from './take-screenshots.ts';
import { startStack } from './stack.ts';

// Takes screenshots of pages and scenes. Arguments are prefixes of the names to take.
const prefixes = process.argv.slice(2);
const directory = join(import.meta.dirname, '../../../../reports/screenshots');

mkdirSync(directory, { recursive: true });
const { stack, stop } = await startStack();
const browser = await launchChromium();
try {
  const count = await takeScreenshots({ browser, stack }, { directory, prefixes });
  console.log(`${count} screenshots: ${directory}`);
} finally {
  await browser.close();
  await stop();
}
