import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ShieldAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { accountQueries } from '../session/queries.ts';
import { texts } from '../texts/enrollment.ts';
import { shortDate } from '../ui/time-format.ts';

interface EnrollmentNoticeProps {
  readonly organizationName: string;
  /** From when on the organization requires a second factor. */
  readonly requiredFrom: string;
}

/** Tells a member without a second factor that the organization requires one. */
export default function EnrollmentNotice({
  organizationName,
  requiredFrom,
}: EnrollmentNoticeProps): ReactNode {
  const { data } = useQuery(accountQueries.security.overview.queryOptions());
  if (!data || data.totp || data.passkeys.length > 0) return null;
  const isOver = new Date(requiredFrom) <= new Date();
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-warning-soft px-4 py-2 text-warning sm:px-6 lg:px-8"
    >
      <ShieldAlert aria-hidden className="size-4 shrink-0" />
      <span>
        {isOver
          ? texts.now(organizationName)
          : texts.soon(organizationName, shortDate(requiredFrom))}
      </span>
      <Link to="/settings/security" className="font-medium underline underline-offset-4">
        {texts.action}
      </Link>
    </div>
  );
}
