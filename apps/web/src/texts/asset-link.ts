/** Texts of the public link of an asset. */
export const texts = {
  title: 'Public link',
  on: 'Anyone with the link can open this file, without an account.',
  off: 'Only members of this organization can open this file.',
  offAgain:
    'If you turn it off, this link stops working for good. Turning it on again creates a new one.',
  forbidden: 'Public links are not allowed in this organization. Only members can open this file.',
  badge: { public: 'Public link', private: 'Members only' },
  address: 'Public URL',
  copy: 'Copy',
  copyLabel: 'Copy link',
};
