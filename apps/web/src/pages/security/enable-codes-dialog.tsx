import type { Data } from '@atelier/client';
import { Copy } from 'lucide-react';
import { Suspense, type ReactNode } from 'react';
import * as z from 'zod/mini';
import { lazyPart } from '../../loading/lazy.tsx';
import { Form } from '../../forms/form.tsx';
import { DialogButtons } from '../../library/dialog-buttons.tsx';
import { api } from '../../session/api.ts';
import { confirmed } from '../../session/confirmed.ts';
import { texts } from '../../texts/security.ts';
import { Button } from '../../ui/button.tsx';
import { copyText } from '../../ui/clipboard.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Input } from '../../ui/field.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

const QrCode = lazyPart(() => import('../../ui/qr-code.tsx'));

const { oneTimeCodes: words } = texts;
const schema = z.object({ code: z.string().check(z.trim(), z.minLength(1, words.missing)) });

interface EnableCodesDialogProps {
  /** The app gets it, and proves that it has it. */
  readonly secret: Data<'security.startTotp'>;
  readonly onClose: () => void;
  /** Also called if the dialog was closed meanwhile: the recovery codes are shown once. */
  readonly onEnabled: (recoveryCodes: readonly string[]) => void;
}

/** Sets up an authenticator app. */
export default function EnableCodesDialog(props: EnableCodesDialogProps): ReactNode {
  const {
    secret: { secret, uri },
    onClose,
    onEnabled,
  } = props;

  async function enable(body: z.output<typeof schema>): Promise<void> {
    const { recoveryCodes } = await confirmed(() => api.security.enableTotp({ body }));
    onEnabled(recoveryCodes);
  }

  return (
    <Dialog isOpen onClose={onClose} title={words.title} size="sm">
      <Form schema={schema} onSubmit={enable}>
        {({ isBusy }) => (
          <>
            <p>{words.scan}</p>
            <div className="flex flex-col items-center gap-2">
              <Suspense fallback={<Skeleton className="size-52" />}>
                <QrCode text={uri} label={words.picture} />
              </Suspense>
              <a href={uri} className="text-sm text-accent underline-offset-4 hover:underline">
                {words.open}
              </a>
            </div>
            <div className="flex flex-col gap-1.5">
              <p className="text-sm text-ink-muted">{words.type}</p>
              <div className="flex items-center gap-2">
                <code className="min-w-0 flex-1 rounded-md bg-sunken px-3 py-2 text-sm wrap-anywhere">
                  {grouped(secret)}
                </code>
                <Button
                  icon={Copy}
                  aria-label={words.copyKey}
                  onClick={() => void copyText(secret)}
                >
                  {words.copy}
                </Button>
              </div>
            </div>
            <Input
              name="code"
              label={words.code}
              hint={words.codeHint}
              inputMode="numeric"
              autoComplete="one-time-code"
              spellCheck={false}
              data-autofocus
            />
            <DialogButtons action={words.submit} isBusy={isBusy} onCancel={onClose} />
          </>
        )}
      </Form>
    </Dialog>
  );
}

/** Returns a secret in groups of four, which are easier to type. */
function grouped(secret: string): string {
  return secret.match(/.{1,4}/g)?.join(' ') ?? secret;
}
