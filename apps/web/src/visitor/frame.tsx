import type { ReactNode } from 'react';
import { texts as shared } from '../texts/shared.ts';

interface ShareFrameProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** Lays out what is shown in place of the files. */
export function ShareFrame({ title, children }: ShareFrameProps): ReactNode {
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-sm flex-col justify-center px-4 py-10">
      <ProductMark className="mb-6 self-center" />
      <div className="rounded-xl border border-line bg-surface p-6 shadow-raised">
        <h1 className="text-xl">{title}</h1>
        <div className="mt-1 text-ink-muted">{children}</div>
      </div>
    </main>
  );
}

/** Leads nowhere: visitors may have no account. */
export function ProductMark({ className }: { readonly className?: string }): ReactNode {
  return (
    <p className={`flex items-center gap-3 ${className ?? ''}`}>
      <img src="/icon.svg" alt="" className="size-8" />
      <span className="text-xl font-semibold tracking-tight">{shared.product}</span>
    </p>
  );
}
