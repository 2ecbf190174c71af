import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { atMidnight } from './today.ts';

const minuteMs = 60_000;
const page = new EventTarget();

beforeEach(() => {
  vi.stubGlobal('document', page);
  // Local time.
  vi.useFakeTimers({ now: new Date(2026, 10, 18, 23, 59) });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('every listener is called at each midnight, with one timer for all', () => {
  const [first, second] = [vi.fn<() => void>(), vi.fn<() => void>()];
  const ends = [atMidnight(first), atMidnight(second)];
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(minuteMs - 1);
  expect(first).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect([first, second].map((one) => one.mock.calls.length)).toEqual([1, 1]);
  vi.advanceTimersByTime(24 * 60 * minuteMs);
  expect([first, second].map((one) => one.mock.calls.length)).toEqual([2, 2]);
  for (const end of ends) end();
  expect(vi.getTimerCount()).toBe(0);
});

test('a computer that slept past midnight catches up when the page is shown', () => {
  const listener = vi.fn<() => void>();
  const end = atMidnight(listener);
  vi.setSystemTime(new Date(2026, 10, 19, 8));
  page.dispatchEvent(new Event('visibilitychange'));
  expect(listener).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(16 * 60 * minuteMs);
  expect(listener).toHaveBeenCalledTimes(2);
  end();
  page.dispatchEvent(new Event('visibilitychange'));
  expect(listener).toHaveBeenCalledTimes(2);
});
