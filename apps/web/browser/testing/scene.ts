import type { Page } from 'playwright-core';
import type { Account } from './accounts.ts';

/** A screenshot: a page in one of its states, or with something open. */
export interface Scene {
  /** Unique; begins with the name of its page. */
  readonly name: string;
  readonly path: string;
  /** The signed-in account; default: anonymous. */
  readonly as?: Account | undefined;
  readonly organizationId?: string | undefined;
  /** Names a browser context of its own: what the other scenes loaded isn't known there. */
  readonly memory?: string;
  /** Runs before the page is opened, such as to mock its responses. */
  readonly prepare?: (page: Page) => Promise<unknown>;
  /** Brings the page into its state. Default: waits until it has loaded. */
  readonly act?: (page: Page) => Promise<void>;
  /** It changes data that other scenes show: taken last, in its own context. */
  readonly changesData?: true;
  /** Variants to take; default: all. */
  readonly only?: readonly ('light' | 'dark' | 'phone')[];
}
