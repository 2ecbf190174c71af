import type { ReactNode } from 'react';
import { texts as shared } from '../texts/shared.ts';
import { Button } from '../ui/button.tsx';

interface DialogButtonsProps {
  readonly action: string;
  readonly isBusy: boolean;
  readonly onCancel: () => void;
}

/** Shows the cancel and submit buttons of a form in a dialog. */
export function DialogButtons({ action, isBusy, onCancel }: DialogButtonsProps): ReactNode {
  return (
    <div className="flex justify-end gap-2 pb-2">
      <Button onClick={onCancel}>{shared.cancel}</Button>
      <Button tone="primary" type="submit" isBusy={isBusy}>
        {action}
      </Button>
    </div>
  );
}
