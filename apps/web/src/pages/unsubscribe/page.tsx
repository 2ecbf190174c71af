import { useMutation } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api } from '../../session/api.ts';
import { texts } from '../../texts/unsubscribe.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { errorText } from '../../ui/error-texts.ts';
import { PublicFrame } from '../public-frame.tsx';

/**
 * Switches off the mails that a mailed link is for. A button asks first: programs that check mails open links too. What
 * it says is the same for every token, so that nobody learns from one whose it is, or whether it works.
 */
export default function UnsubscribePage(): ReactNode {
  const { token } = useSearch({ from: '/unsubscribe' });
  const { mutate, isSuccess, isPending, error } = useMutation({
    mutationFn: (given: string) => api.notifications.unsubscribe({ query: { token: given } }),
  });
  if (isSuccess || !token) {
    const { title, hint } = isSuccess ? texts.done : texts.incomplete;
    return (
      <PublicFrame title={title} description={hint}>
        <Link to="/settings/notifications" className={`${buttonClass()} w-full`}>
          {texts.settings}
        </Link>
      </PublicFrame>
    );
  }
  return (
    <PublicFrame title={texts.title} description={texts.hint}>
      {error ? (
        <p role="alert" className="mb-4 rounded-md bg-danger-soft px-3 py-2 text-danger">
          {errorText(error)}
        </p>
      ) : null}
      <Button tone="primary" className="w-full" isBusy={isPending} onClick={() => mutate(token)}>
        {texts.submit}
      </Button>
    </PublicFrame>
  );
}
