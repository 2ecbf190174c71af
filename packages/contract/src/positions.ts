import { z } from 'zod/v4';
import { Id } from './primitives.ts';

const absent = z.never().optional();

/** The three exclusive ways to give a new position; each is the shape of one union member. */
export const anchors = {
  position: {
    position: z
      .int()
      .min(0)
      .max(1_000_000)
      .describe('Position from 0; beyond the end means the end.'),
    beforeId: absent,
    afterId: absent,
  },
  beforeId: {
    position: absent,
    beforeId: Id.describe('The next neighbour.'),
    afterId: absent,
  },
  afterId: {
    position: absent,
    beforeId: absent,
    afterId: Id.describe('The previous neighbour.'),
  },
};

export const positionError = {
  error: 'Invalid position: expected exactly one of position (from 0), beforeId and afterId (ids)',
};
