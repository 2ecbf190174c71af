import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium, type Browser, type Page } from 'playwright-core';

const executablePath = [process.env['CHROMIUM_PATH'] ?? '', '/usr/bin/chromium'].find(existsSync);

/** Whether there is a Chromium; says so if there is none. */
export const hasChromium = executablePath !== undefined;
if (!hasChromium) console.warn('Skipped: found no Chromium. Set CHROMIUM_PATH to its path.');

export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: String(executablePath),
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
  });
}

interface AxeResult {
  readonly violations: readonly { id: string; nodes: { html: string }[] }[];
  readonly passes: readonly unknown[];
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Checks a page with axe.
 *
 * @param context - JavaScript of what to check
 * @returns each finding with its first element, and how many rules passed
 */
export async function findingsOfAxe(
  page: Page,
  { context = 'document', without = [] }: { context?: string; without?: readonly string[] } = {},
): Promise<{ findings: readonly (readonly [string, string | undefined])[]; passed: number }> {
  const rules = Object.fromEntries(without.map((rule) => [rule, { enabled: false }]));
  const { violations, passes } = await page.evaluate<AxeResult>(
    `${axe}; axe.run(${context}, ${JSON.stringify({ rules })})`,
  );
  return {
    findings: violations.map(({ id, nodes }) => [id, nodes[0]?.html] as const),
    passed: passes.length,
  };
}
