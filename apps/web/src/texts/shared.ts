/** Texts that every area uses. */
export const texts = {
  product: 'Atelier',
  documentTitle: (page: string) => `${page} · Atelier`,
  loading: 'Loading…',
  close: 'Close',
  cancel: 'Cancel',
  save: 'Save',
  create: 'Create',
  delete: 'Delete',
  rename: 'Rename',
  undo: 'Undo',
  retry: 'Try again',
  dismiss: 'Dismiss notification',
  notifications: 'Notifications',
  typeToConfirm: (name: string) => `Type “${name}” to confirm`,
  loadMore: 'Load more',
  shownOf: (shown: number, total: number, isMore: boolean) =>
    `${shown.toLocaleString('en')} of ${total.toLocaleString('en')}${isMore ? '+' : ''}`,
  loadFailed: 'This couldn’t be loaded',
  offline: 'You’re offline',
  offlineHint: 'This appears as soon as the network is back.',
  forbidden: 'You don’t have access to this',
  forbiddenHint:
    'Your role in this organization doesn’t allow this. An owner or admin can change that.',
  notFound: 'Not found',
  notFoundHint:
    'The link may be outdated or belong to another organization. Switch to that organization and try again.',
  toHome: 'Go to dashboard',
};
