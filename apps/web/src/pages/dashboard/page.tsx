import { Hammer } from 'lucide-react';
import type { ReactNode } from 'react';
import { texts as shared } from '../../texts/shared.ts';
import { texts } from '../../texts/dashboard.ts';
import { Page } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';

export default function DashboardPage(): ReactNode {
  return (
    <Page title={texts.title}>
      <EmptyState icon={Hammer} title={texts.title}>
        {shared.comingSoon}
      </EmptyState>
    </Page>
  );
}
