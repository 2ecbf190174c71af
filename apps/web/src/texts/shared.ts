/** Words that every area uses. */
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
  dismiss: 'Dismiss notice',
  notices: 'Notices',
  typeToConfirm: (name: string) => `Type “${name}” to confirm`,
  loadMore: 'Load more',
  shownOf: (shown: number, total: number) =>
    `${shown.toLocaleString('en')} of ${total.toLocaleString('en')}`,
  loadFailed: 'This could not be loaded',
  forbidden: 'You don’t have access to this',
  forbiddenHint:
    'Your role in this organization does not allow it. An owner or administrator can change that.',
  notFound: 'There is nothing here',
  notFoundHint:
    'The link may be old, or it belongs to another organization. Choose that organization and try again.',
  toHome: 'Go to the dashboard',
  comingSoon: 'This page is on its way.',
};
