import type { ReactNode } from 'react';
import { texts as shared } from '../../texts/shared.ts';
import { texts } from '../../texts/welcome.ts';
import { PublicFrame } from '../public-frame.tsx';

export default function InvitationPage(): ReactNode {
  return <PublicFrame title={texts.invitation.title} description={shared.comingSoon} />;
}
