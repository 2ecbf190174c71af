/** Texts about code of the app that couldn't be loaded. */
export const texts = {
  dialogTitle: 'Not loaded yet',
  reload: 'Reload',
  newer: 'There is a new version of Atelier. Reload when you are ready.',
  notLoaded: {
    offline: { title: 'You’re offline', hint: 'This opens as soon as the network is back.' },
    replaced: {
      title: 'There is a new version of Atelier',
      hint: 'Reload to continue. What you have typed on this page is lost.',
    },
    failed: { title: 'This couldn’t be loaded', hint: 'The server doesn’t respond as it should.' },
  },
  page: {
    offline: 'You’re offline. The page opens as soon as the network is back.',
    replaced: 'There is a new version of Atelier. Reload to open the page.',
    failed: 'The page couldn’t be loaded.',
  },
  part: {
    offline: 'You’re offline, and this hasn’t been loaded yet.',
    replaced: 'There is a new version of Atelier. Reload to continue.',
    failed: 'This couldn’t be loaded. Try again.',
  },
};
