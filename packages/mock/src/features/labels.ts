import { maxLabels } from '@atelier/contract';
import { MockFailure } from '../failure.ts';
import type { Feature } from '../state/model.ts';
import { textOf } from '../state/store.ts';
import { allIn } from './teams.ts';

export const labels: Feature = {
  kinds: {
    label: {
      check: ({ state, organization }, values, label) => {
        const all = allIn(state, 'label', organization?.id);
        const name = textOf(values, 'name').toLowerCase();
        const isTaken = all.some(
          ({ id, fields }) => id !== label?.id && textOf(fields, 'name').toLowerCase() === name,
        );
        if (isTaken) throw new MockFailure('label_exists');
        if (!label && all.length >= maxLabels) throw new MockFailure('too_many_labels');
      },
    },
  },
};
