import type { ServiceAccount } from '@atelier/client';

export interface AccountProps {
  readonly organizationId: string;
  readonly account: ServiceAccount;
}
