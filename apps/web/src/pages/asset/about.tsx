import type { Asset } from '@atelier/client';
import { Link } from '@tanstack/react-router';
import { Pencil } from 'lucide-react';
import { Suspense, useState, type ReactNode } from 'react';
import { useMayChange } from '../../library/permissions.ts';
import { lazyDialog } from '../../loading/lazy.tsx';
import { texts } from '../../texts/tags.ts';
import { Button } from '../../ui/button.tsx';

const AboutDialog = lazyDialog(() => import('./about-dialog.tsx'));

/** Shows the description and the tags of an asset, which those who may change it can edit. */
export default function About({ asset }: { readonly asset: Asset }): ReactNode {
  const { collectionId, description, tags } = asset;
  const mayChange = useMayChange()(asset);
  const [isEditing, setEditing] = useState(false);
  const isEmpty = !description && tags.length === 0;
  if (isEmpty && !mayChange) return null;
  return (
    <section aria-label={texts.title} className="flex flex-col items-start gap-3">
      {description ? (
        <p dir="auto" className="whitespace-pre-line wrap-anywhere">
          {description}
        </p>
      ) : null}
      {tags.length > 0 ? (
        <ul aria-label={texts.tags} className="flex max-w-full flex-wrap gap-1.5">
          {tags.map((tag) => (
            <li key={tag} className="flex min-w-0">
              <Link
                to="/collections/$id"
                params={{ id: collectionId }}
                search={{ tags: tag }}
                title={texts.show(tag)}
                className="inline-flex h-7 min-w-0 items-center rounded-full border border-line px-2.5 text-sm hover:border-line-strong hover:bg-sunken"
              >
                <span className="truncate">{tag}</span>
              </Link>
            </li>
          ))}
        </ul>
      ) : null}
      {mayChange ? (
        <Button
          size="sm"
          icon={Pencil}
          aria-label={isEmpty ? undefined : texts.editLabel}
          onClick={() => setEditing(true)}
        >
          {isEmpty ? texts.add : texts.edit}
        </Button>
      ) : null}
      {isEditing ? (
        <Suspense>
          <AboutDialog asset={asset} onClose={() => setEditing(false)} />
        </Suspense>
      ) : null}
    </section>
  );
}
