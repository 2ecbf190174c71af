import { expect, test, vi } from 'vitest';
import { createCleanup } from './cleanup.ts';

test('all parts end, the last one first, even if one of them fails', async () => {
  const complaints = vi.spyOn(console, 'error').mockReturnValue();
  const cleanup = createCleanup();
  const ended: string[] = [];
  for (const name of ['directory', 'server', 'balancer']) {
    cleanup.add(async () => {
      ended.push(name);
      if (name === 'balancer') throw new Error('it has ended already');
    });
  }
  await Promise.all([cleanup.run(), cleanup.run()]);
  expect(ended).toEqual(['balancer', 'server', 'directory']);
  expect(complaints).toHaveBeenCalledOnce();
});

test('a part that starts while the others end is ended too', async () => {
  const cleanup = createCleanup();
  const ended: string[] = [];
  cleanup.add(async () => {
    cleanup.add(async () => void ended.push('late'));
    ended.push('early');
  });
  await cleanup.run();
  await cleanup.run();
  expect(ended).toEqual(['early', 'late']);
});
