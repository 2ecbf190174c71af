import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { keepFocus } from '../ui/keep-focus.ts';
import { Notices } from '../ui/notices.tsx';
import { queryDefaults } from '../ui/query-defaults.ts';
import { SharePage } from './page.tsx';
// Without the font, which is half as large as all else: visitors read in that of their system.
// oxlint-disable-next-line import/no-unassigned-import
import '../styles.css';

const queryClient = new QueryClient({ defaultOptions: { queries: queryDefaults } });

keepFocus();
const root = document.querySelector('#root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <SharePage />
        <Notices />
      </QueryClientProvider>
    </StrictMode>,
  );
}
