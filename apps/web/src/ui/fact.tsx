import type { ReactNode } from 'react';

interface FactProps {
  readonly name: string;
  readonly children: ReactNode;
}

/** A name and its value in a `dl`; one below the other on phones. */
export function Fact({ name, children }: FactProps): ReactNode {
  return (
    <>
      <dt className="text-ink-muted max-sm:-mb-2">{name}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </>
  );
}
