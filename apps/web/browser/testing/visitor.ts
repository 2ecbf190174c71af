import type { BrowserContext, Page } from 'playwright-core';
import { expect, inject, onTestFailed } from 'vitest';
import { openContext, type ContextOptions, type Environment } from './context.ts';
import type { Stack } from './stack.ts';
import { recordVisits } from './visits.ts';

/**
 * An isolated browser context. It collects the errors of all its tabs: console errors and warnings, including
 * violations of the content security policy, uncaught errors, and requests to hosts other than the app, the
 * API, the storage and the sign-in provider.
 */
export interface Visitor extends AsyncDisposable {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Opens another tab of the same session. */
  newTab(path?: string): Promise<Page>;
  /** Loads a path of the app. */
  goto(path: string): Promise<void>;
  /** Allows an error that the test provokes, such as the console error for a response with status 404. */
  allowError(pattern: RegExp): void;
  /** Closes the context and fails on unexpected errors. Disposal does the same. */
  close(): Promise<void>;
}

/** Opens an isolated browser context. Use it with `await using`. */
export async function visit(
  environment: Environment,
  options: ContextOptions = {},
): Promise<Visitor> {
  const context = await openContext(environment, options);
  const errors = collectErrors(context, environment.stack);
  const paths = collectPaths(context);
  const allowed: RegExp[] = [];
  // Without a listener, Chromium cancels file choosers immediately.
  context.on('page', (opened) => void opened.on('filechooser', () => {}));
  const page = await context.newPage();
  let isClosed = false;
  let lastSeen: readonly string[] = [];
  // A failure that happens once in many runs could not be explained without it.
  onTestFailed(() => console.error(lastSeen.join('\n\n')));
  const close = async (): Promise<void> => {
    if (isClosed) return;
    isClosed = true;
    const tabs = context.pages();
    lastSeen = await Promise.all(tabs.map(contentOf));
    // Handlers of the test may be in the middle of a request, whose response is gone with its context.
    for (const routed of [context, ...tabs]) await routed.unrouteAll({ behavior: 'ignoreErrors' });
    await context.close();
    const test = expect.getState().currentTestName ?? '';
    recordVisits(
      inject('visitsFile'),
      [...paths].map((path) => ({ test, path })),
    );
    const unexpected = errors.filter((text) => !allowed.some((pattern) => pattern.test(text)));
    expect(unexpected, 'unexpected errors in the browser').toEqual([]);
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
    allowError: (pattern) => void allowed.push(pattern),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Returns the address of a tab, and the beginning of the text that it shows. */
async function contentOf(page: Page): Promise<string> {
  const text = await page.locator('body').innerText({ timeout: 2_000 }).catch(String);
  return `${page.url()} shows:\n${text.slice(0, 2_000)}`;
}

function collectErrors(context: BrowserContext, stack: Stack): readonly string[] {
  const errors: string[] = [];
  const own = new Set([stack.app, stack.api, stack.storage, stack.identity].map(originOf));
  context.on('console', (message) => {
    if (!['error', 'warning'].includes(message.type())) return;
    // By the option `serviceWorkers: 'block'`.
    if (message.text() === 'Service Worker registration blocked by Playwright') return;
    errors.push(`${message.type()}: ${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (error) => errors.push(`uncaught: ${String(error.error().stack)}`));
  context.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (['blob:', 'data:'].includes(protocol) || own.has(origin)) return;
    errors.push(`request to another host: ${request.url()}`);
  });
  return errors;
}

/** Collects the paths that its tabs visit. */
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
