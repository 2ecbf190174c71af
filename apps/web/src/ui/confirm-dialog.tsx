import { useState, type ReactNode } from 'react';
import { texts } from '../texts/shared.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Input } from './field.tsx';

interface ConfirmDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: ReactNode;
  /** What will happen, and whether it can be undone. */
  readonly children: ReactNode;
  /** Label of the action, such as “Delete project”. */
  readonly action: string;
  readonly onConfirm: () => void;
  readonly isBusy?: boolean | undefined;
  /** Has to be typed to enable the action. */
  readonly typedName?: string | undefined;
  /** Message of the error, if the action has failed. */
  readonly error?: string | undefined;
}

/** Asks the user to confirm an action that is hard to undo. */
export function ConfirmDialog({ isOpen, ...props }: ConfirmDialogProps): ReactNode {
  return isOpen ? <Confirmation {...props} /> : null;
}

function Confirmation({
  onClose,
  title,
  children,
  action,
  onConfirm,
  isBusy,
  typedName,
  error,
}: Omit<ConfirmDialogProps, 'isOpen'>): ReactNode {
  const [typed, setTyped] = useState('');
  const isReady = typedName === undefined || typed.trim() === typedName;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={title}
      size="sm"
      footer={
        <>
          <Button onClick={onClose} data-autofocus={typedName === undefined || undefined}>
            {texts.cancel}
          </Button>
          <Button tone="danger" disabled={!isReady} isBusy={isBusy} onClick={onConfirm}>
            {action}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4 text-ink-muted">
        {children}
        {typedName === undefined ? null : (
          <Input
            name="confirmName"
            label={texts.typeToConfirm(typedName)}
            value={typed}
            error={error}
            autoComplete="off"
            data-autofocus
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
        {error && typedName === undefined ? (
          <p role="alert" className="text-danger">
            {error}
          </p>
        ) : null}
      </div>
    </Dialog>
  );
}
