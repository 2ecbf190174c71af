// Runs before the first paint, so that the other theme never flashes.
try {
  const theme = localStorage.getItem('atelier_theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {}
