import type { User } from '@atelier/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ImageUp } from 'lucide-react';
import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { accountKeys } from '../../session/account.ts';
import { errorText } from '../../ui/error-texts.ts';
import { texts } from '../../texts/profile.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { notify } from '../../ui/notices.tsx';
import { problemOf, pictureTypes } from './picture-rules.ts';
import { Section } from '../../ui/section.tsx';

const { picture: words } = texts;

interface Chosen {
  readonly file: File;
  readonly url: string;
}

/** Chooses, previews and uploads the user's profile picture. */
export function PictureSection({ user }: { readonly user: User }): ReactNode {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const client = useQueryClient();
  const [chosen, setChosen] = useState<Chosen>();
  const [problem, setProblem] = useState<string>();
  const upload = useMutation({
    mutationFn: async (file: File) => (await import('./upload-picture.ts')).uploadPicture(file),
    onSuccess(changed) {
      client.setQueryData(accountKeys.user, changed);
      setChosen(undefined);
      notify(words.saved);
    },
    onError: (error) => setProblem(errorText(error)),
  });
  useEffect(() => {
    if (!chosen) return undefined;
    return () => URL.revokeObjectURL(chosen.url);
  }, [chosen]);

  function choose(file: File | undefined): void {
    if (!file) return;
    const found = problemOf(file);
    setProblem(found);
    setChosen(found ? undefined : { file, url: URL.createObjectURL(file) });
  }

  return (
    <Section title={words.title} hint={words.hint}>
      <div className="flex flex-wrap items-center gap-5">
        <Avatar name={user.displayName} url={chosen?.url ?? user.avatarUrl} size="lg" />
        <div className="flex flex-col gap-2">
          <input
            ref={input}
            type="file"
            accept={pictureTypes.join(',')}
            hidden
            onChange={({ target }) => {
              choose(target.files?.[0]);
              // Otherwise choosing the same file again fires no event.
              target.value = '';
            }}
          />
          {chosen ? (
            <>
              <p className="max-w-56 truncate text-sm text-ink-muted">
                {words.preview}: {chosen.file.name}
              </p>
              <div className="flex flex-wrap gap-2">
                <Button
                  tone="primary"
                  isBusy={upload.isPending}
                  onClick={() => upload.mutate(chosen.file)}
                >
                  {words.upload}
                </Button>
                <Button
                  disabled={upload.isPending}
                  onClick={() => {
                    setChosen(undefined);
                    setProblem(undefined);
                  }}
                >
                  {words.discard}
                </Button>
              </div>
            </>
          ) : (
            <Button
              icon={ImageUp}
              aria-describedby={problem ? id : undefined}
              onClick={() => input.current?.click()}
            >
              {user.avatarUrl ? words.change : words.choose}
            </Button>
          )}
          {problem ? (
            <p id={id} role="alert" className="text-sm text-danger">
              {problem}
            </p>
          ) : null}
        </div>
      </div>
    </Section>
  );
}
