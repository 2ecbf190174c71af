import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });

/** How hard a password is to guess: 0 (at once) to 4 (not in years). */
export type Strength = 0 | 1 | 2 | 3 | 4;

/**
 * Estimates a password in this browser; it is sent nowhere.
 *
 * @param known - what an attacker knows, such as the email
 */
export function strengthOf(password: string, known: readonly string[]): Strength {
  return estimator.check(password, [...known]).score;
}
