import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { loadFirstPage } from './router.tsx';
import { keepFocus } from './ui/keep-focus.ts';
// oxlint-disable-next-line import/no-unassigned-import
import './fonts.css';
// oxlint-disable-next-line import/no-unassigned-import
import './styles.css';

void loadFirstPage();
keepFocus();
const root = document.querySelector('#root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
