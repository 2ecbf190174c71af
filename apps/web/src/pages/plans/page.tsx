import type { ReactNode } from 'react';
import { texts as shared } from '../../texts/shared.ts';
import { texts } from '../../texts/welcome.ts';
import { PublicFrame } from '../public-frame.tsx';

export default function PlansPage(): ReactNode {
  return <PublicFrame title={texts.plans.title} description={shared.comingSoon} />;
}
