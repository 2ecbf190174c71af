import type { Asset } from '@atelier/client';
import { expect, test } from 'vitest';
import { decisionFor, type NameDecisions } from './name-decisions.ts';
import type { TakenName } from './name-questions.ts';

const taken = { file: new File(['x'], 'x.txt'), asset: { createdBy: 'ada' } as Asset } as TakenName;
const always = () => true;
const never = () => false;
const decide = (all: NameDecisions['all'], mayChange = always, index = 0) =>
  decisionFor(taken, index, { decisions: { all, each: new Map([[1, 'skip']]) }, mayChange });

test('one decision holds for all files', () => {
  expect([decide('version'), decide('both'), decide('skip')]).toEqual(['version', 'both', 'skip']);
});

test('each file can have its own decision; the others get a version', () => {
  expect([decide('each'), decide('each', always, 1)]).toEqual(['version', 'skip']);
});

test('what the user may not change is kept beside the new file', () => {
  expect([decide('version', never), decide('each', never)]).toEqual(['both', 'both']);
  expect([decide('skip', never), decide('each', never, 1)]).toEqual(['skip', 'skip']);
});
