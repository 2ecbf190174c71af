import type { BrowserContext, Page } from 'playwright-core';
import { expect, inject } from 'vitest';
import { openContext, type ContextOptions, type Where } from './context.ts';
import type { Stack } from './stack.ts';
import { recordVisits } from './visits.ts';

/**
 * Somebody's browser, apart from all others. What goes wrong in any of its tabs is collected: errors
 * and warnings of the console, among them violations of the content security policy, errors that nobody
 * caught, and requests to anybody but the app, the storage and the sign-in provider.
 */
export interface Visitor extends AsyncDisposable {
  readonly context: BrowserContext;
  readonly page: Page;
  /** One more tab of the same session. */
  newTab(path?: string): Promise<Page>;
  /** Goes to a path of the app by its address. */
  goto(path: string): Promise<void>;
  /** A complaint that the journey provokes, such as the console's line about an answer of 404. */
  expectComplaint(pattern: RegExp): void;
  /** Ends the visit; fails when something has gone wrong during it. Done by disposal as well. */
  leave(): Promise<void>;
}

/** Opens a browser of somebody's own. Use with `await using`. */
export async function visit(where: Where, options: ContextOptions = {}): Promise<Visitor> {
  const context = await openContext(where, options);
  const complaints = collectComplaints(context, where.stack);
  const paths = collectPaths(context);
  const expected: RegExp[] = [];
  // From the first listener on choosers are held for tests; before, they are cancelled at once.
  context.on('page', (opened) => void opened.on('filechooser', () => {}));
  const page = await context.newPage();
  let hasLeft = false;
  const leave = async (): Promise<void> => {
    if (hasLeft) return;
    hasLeft = true;
    await context.close();
    const test = expect.getState().currentTestName ?? '';
    recordVisits(
      inject('visitsFile'),
      [...paths].map((path) => ({ test, path })),
    );
    const surprising = complaints.filter((text) => !expected.some((known) => known.test(text)));
    expect(surprising, 'what went wrong in the browser').toEqual([]);
  };
  return {
    context,
    page,
    async newTab(path = '/') {
      const tab = await context.newPage();
      await tab.goto(path);
      return tab;
    },
    async goto(path) {
      await page.goto(path);
    },
    expectComplaint: (pattern) => void expected.push(pattern),
    leave,
    [Symbol.asyncDispose]: leave,
  };
}

function collectComplaints(context: BrowserContext, stack: Stack): readonly string[] {
  const complaints: string[] = [];
  const own = new Set([stack.app, stack.api, stack.storage, stack.identity].map(originOf));
  context.on('console', (message) => {
    if (!['error', 'warning'].includes(message.type())) return;
    complaints.push(`${message.type()}: ${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (error) => complaints.push(`uncaught: ${String(error.error().stack)}`));
  context.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (['blob:', 'data:'].includes(protocol) || own.has(origin)) return;
    complaints.push(`request to another host: ${request.url()}`);
  });
  return complaints;
}

/** Where its tabs have been, in the app or elsewhere. */
function collectPaths(context: BrowserContext): ReadonlySet<string> {
  const paths = new Set<string>();
  context.on('page', (page) => {
    page.on('framenavigated', (frame) => {
      if (frame !== page.mainFrame() || !URL.canParse(frame.url())) return;
      paths.add(new URL(frame.url()).pathname);
    });
  });
  return paths;
}

function originOf(url: string): string {
  return new URL(url).origin;
}
