import type { ReactNode } from 'react';
import { texts as common } from '../../texts/common.ts';
import { texts } from '../../texts/welcome.ts';
import { PublicFrame } from '../public-frame.tsx';

export default function ResetPasswordPage(): ReactNode {
  return <PublicFrame title={texts.reset.title} description={common.comingSoon} />;
}
