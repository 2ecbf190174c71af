import type { Share, SharePolicy } from '@atelier/client';
import type { ReactNode } from 'react';
import { Form } from '../forms/form.tsx';
import { PasswordInput } from '../forms/password-input.tsx';
import { DialogButtons } from '../library/dialog-buttons.tsx';
import { texts } from '../texts/sharing.ts';
import { Input, Select } from '../ui/field.tsx';
import { Checkbox } from './checkbox.tsx';
import { expiries, fields, kept, never, type Fields } from './conditions.ts';

const words = texts.fields;

interface ShareFormProps {
  readonly policy: SharePolicy;
  /** The share that is changed; undefined for a new one. */
  readonly share?: Share | undefined;
  readonly onSubmit: (entered: Fields) => Promise<unknown>;
  readonly onCancel: () => void;
}

/** The conditions of a share, as far as the organization leaves a choice. */
export function ShareForm({ policy, share, onSubmit, onCancel }: ShareFormProps): ReactNode {
  const { days, mayLast, preset } = expiries(policy);
  const passwordHint = share?.hasPassword
    ? words.passwordKept
    : policy.requirePassword
      ? words.passwordRequired
      : words.passwordHint;
  return (
    <Form schema={fields} onSubmit={onSubmit}>
      {({ isBusy }) => (
        <>
          <Input
            name="label"
            label={words.label}
            hint={words.labelHint}
            defaultValue={share?.label ?? ''}
            autoComplete="off"
            data-autofocus
            // The dialog is open already when it shows the form.
            autoFocus
          />
          <PasswordInput
            name="password"
            label={words.password}
            hint={passwordHint}
            autoComplete="off"
          />
          {share?.hasPassword && !policy.requirePassword ? (
            <Checkbox name="removesPassword" label={words.passwordRemoved} />
          ) : null}
          <div className="grid gap-4 sm:grid-cols-2">
            <Select name="expiry" label={words.expiry} defaultValue={share ? kept : preset}>
              {share ? <option value={kept}>{words.expiryKept}</option> : null}
              {days.map((count) => (
                <option key={count} value={count}>
                  {words.in(count)}
                </option>
              ))}
              {mayLast ? <option value={never}>{words.never}</option> : null}
            </Select>
            <Input
              name="maxOpenings"
              label={words.maxOpenings}
              hint={words.maxOpeningsHint}
              inputMode="numeric"
              defaultValue={share?.maxOpenings ?? ''}
              autoComplete="off"
            />
          </div>
          <Input
            name="watermark"
            label={words.watermark}
            hint={words.watermarkHint}
            defaultValue={share?.watermark ?? ''}
            autoComplete="off"
          />
          <Checkbox
            name="allowDownload"
            label={words.allowDownload}
            hint={policy.allowDownload ? words.allowDownloadHint : words.downloadForbidden}
            disabled={!policy.allowDownload}
            defaultChecked={policy.allowDownload && share?.allowDownload}
          />
          <Checkbox
            name="pinned"
            label={words.pinned}
            hint={words.pinnedHint}
            defaultChecked={share?.versions === 'PINNED'}
          />
          <DialogButtons
            action={share ? texts.save : texts.createAction}
            isBusy={isBusy}
            onCancel={onCancel}
          />
        </>
      )}
    </Form>
  );
}
