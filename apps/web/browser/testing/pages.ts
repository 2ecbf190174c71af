import type { Page, Route } from 'playwright-core';
import { expect } from 'vitest';

/** Waits for the main heading of a page. */
export async function heading(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('heading', { level: 1, name }).waitFor();
}

/** Fills in and submits the sign-in form. */
export async function signIn(page: Page, email: string, secret: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(secret);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Responds as to a session that was not confirmed lately. */
export async function refuseUnconfirmed(route: Route): Promise<void> {
  const body = {
    success: false,
    code: 'confirmation_required',
    message: 'Confirm who you are first',
    errors: [],
  };
  await route.fulfill({ status: 403, json: body });
}

/** Goes back in the history of the browser, and expects that the app keeps its page and says what to do first. */
export async function backAndStay(page: Page, demand: string): Promise<void> {
  const { pathname } = new URL(page.url());
  await page.evaluate('history.back()');
  await page.getByRole('log').getByText(demand).waitFor();
  await expect.poll(() => new URL(page.url()).pathname).toBe(pathname);
}

/** Reloads the page, and stays when the browser asks. */
export async function reloadAndStay(page: Page): Promise<void> {
  const asked = page.waitForEvent('dialog');
  const reload = page.evaluate('location.reload()');
  const question = await asked;
  expect(question.type()).toBe('beforeunload');
  await question.dismiss();
  await reload;
}
