import { Eye, EyeOff } from 'lucide-react';
import { useState, type ComponentProps, type ReactNode } from 'react';
import { texts } from '../texts/password-input.ts';
import { classNames } from '../ui/class-names.ts';
import { Field, controlClass, type FieldTexts } from '../ui/field.tsx';
import { IconButton } from '../ui/icon-button.tsx';

/** A field for a password, whose characters can be shown. */
export function PasswordInput({
  label,
  hint,
  error,
  className,
  ...rest
}: FieldTexts & Omit<ComponentProps<'input'>, 'name' | 'type'>): ReactNode {
  const [isShown, setIsShown] = useState(false);
  return (
    <Field {...{ name: rest.name, label, hint, error }}>
      {(control) => (
        <div className="relative">
          <input
            {...rest}
            {...control}
            type={isShown ? 'text' : 'password'}
            autoCapitalize="none"
            spellCheck={false}
            className={classNames(controlClass, 'h-9 pr-10', className)}
          />
          <IconButton
            icon={isShown ? EyeOff : Eye}
            label={texts.show}
            size="sm"
            aria-pressed={isShown}
            aria-controls={control.id}
            onClick={() => setIsShown(!isShown)}
            className="absolute inset-y-0 right-1 my-auto"
          />
        </div>
      )}
    </Field>
  );
}
