/** Errors of webhooks, part of the catalogue. */
export const webhookErrors = {
  webhook_address_refused: {
    status: 400,
    message: 'Messages cannot be sent to this address',
    when: 'The URL of a webhook is not a public `https:` address.',
  },
  webhook_replay_too_large: {
    status: 400,
    message: 'The window has too many events',
    when: 'Replaying more than 10,000 events, or with 20,000 waiting.',
  },
  too_many_webhooks: {
    status: 409,
    message: 'The organization has too many webhooks; delete some',
    when: 'Creating a webhook in an organization that has 20.',
  },
  webhook_disabled: {
    status: 409,
    message: 'The webhook is disabled; enable it first',
    when: 'Sending to a webhook that is paused or disabled.',
  },
} as const;
