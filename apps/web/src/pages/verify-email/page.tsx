import type { ReactNode } from 'react';
import { texts as shared } from '../../texts/shared.ts';
import { texts } from '../../texts/welcome.ts';
import { PublicFrame } from '../public-frame.tsx';

export default function VerifyEmailPage(): ReactNode {
  return <PublicFrame title={texts.verify.title} description={shared.comingSoon} />;
}
