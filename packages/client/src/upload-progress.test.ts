import { afterEach, expect, test, vi } from 'vitest';
import { progressOf } from './upload-progress.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

test('the time left is known also after the clock was set back', () => {
  const progress = progressOf(100);
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() - 3_600_000);
  progress.set(1, 50);
  expect(progress.state()).toMatchObject({ loadedBytes: 50, secondsLeft: expect.any(Number) });
});
