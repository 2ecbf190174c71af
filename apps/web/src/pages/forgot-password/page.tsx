import type { ReactNode } from 'react';
import { texts as shared } from '../../texts/shared.ts';
import { texts } from '../../texts/welcome.ts';
import { PublicFrame } from '../public-frame.tsx';

export default function ForgotPasswordPage(): ReactNode {
  return <PublicFrame title={texts.forgot.title} description={shared.comingSoon} />;
}
