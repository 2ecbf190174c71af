import type { Feature } from '../state/model.ts';
import { textOf } from '../state/store.ts';

export const comments: Feature = {
  kinds: {
    comment: {
      nameOf: ({ fields }, { store }) =>
        textOf(store.find('task', fields['taskId'])?.fields, 'title'),
      metadataOf: ({ fields }) => ({ taskId: fields['taskId'] }),
    },
  },
};
