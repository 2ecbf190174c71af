import { group } from './group.ts';

export const uploadsGroup = group({
  description: 'Uploads directly to the object storage.',
  toolset: null,
  resources: {
    upload: {
      title: 'Uploads',
      icon: 'upload',
      page: null,
      // Until it is completed, only the user who started it can read it.
      audience: 'actor',
      actions: {
        initiate: { label: 'Started', sentence: 'started uploading {name}' },
        abort: { label: 'Cancelled', sentence: 'cancelled the upload of {name}' },
      },
    },
  },
});
