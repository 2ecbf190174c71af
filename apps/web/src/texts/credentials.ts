/** Texts of what API keys and webhooks share. */
export const texts = {
  secret: {
    warning: 'This is the only time you’ll see this. Copy it to a safe place now.',
    copy: 'Copy',
    copyLabel: (label: string) => `Copy: ${label}`,
    done: 'I have saved it',
    saveFirst: 'Copy it first, then press “I have saved it”. It won’t be shown again.',
  },
};
