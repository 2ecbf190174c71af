import { useId, type ReactNode } from 'react';
import { Card } from './card.tsx';

interface SectionProps {
  readonly title: string;
  readonly hint?: ReactNode;
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
}

/** Shows one section of a settings page. */
export function Section({ title, hint, actions, children }: SectionProps): ReactNode {
  const id = useId();
  return (
    <Card aria-labelledby={id}>
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 max-w-lg">
          <h2 id={id}>{title}</h2>
          {hint ? <p className="mt-0.5 text-ink-muted">{hint}</p> : null}
        </div>
        {actions}
      </div>
      {children ? <div className="mt-4">{children}</div> : null}
    </Card>
  );
}
