import { z } from 'zod';
import { Id } from './primitives.ts';

const absent = z.never().optional();

/** The three exclusive ways to say where something goes; each is the shape of one union member. */
export const anchors = {
  position: {
    position: z.int().min(0).max(1_000_000).describe('Place from 0; beyond the end is the end.'),
    beforeId: absent,
    afterId: absent,
  },
  beforeId: {
    position: absent,
    beforeId: Id.describe('The neighbour that comes right after.'),
    afterId: absent,
  },
  afterId: {
    position: absent,
    beforeId: absent,
    afterId: Id.describe('The neighbour that comes right before.'),
  },
};

export const positionError = {
  error: 'Invalid position: expected exactly one of position (from 0), beforeId and afterId (ids)',
};
