import { group } from './group.ts';

export const webhooksGroup = group({
  description: 'Signed HTTP callbacks for what happens in an organization.',
  toolset: null,
  resources: {
    webhook: {
      title: 'Webhooks',
      icon: 'webhook',
      page: null,
      audience: 'webhook:manage',
      actions: {
        create: { label: 'Created', sentence: 'created the webhook {name}' },
        update: { label: 'Changed', sentence: 'changed the webhook {name}' },
        rotate_secret: {
          label: 'Secret replaced',
          sentence: 'replaced the secret of the webhook {name}',
        },
        enable: { label: 'Enabled', sentence: 'enabled the webhook {name}' },
        disable: { label: 'Disabled', sentence: 'disabled the webhook {name}' },
        test: { label: 'Tested', sentence: 'tested the webhook {name}' },
        replay: { label: 'Replayed', sentence: 'replayed events to the webhook {name}' },
        resend: { label: 'Sent again', sentence: 'sent an event to the webhook {name} again' },
        delete: { label: 'Deleted', sentence: 'deleted the webhook {name}' },
      },
    },
  },
});
