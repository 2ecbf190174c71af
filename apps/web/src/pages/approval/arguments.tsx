import { Fragment, useId, type ReactNode } from 'react';
import { visible } from '../../approvals/visible.ts';
import { texts } from '../../texts/approvals.ts';
import { Section } from '../../ui/section.tsx';

const words = texts.arguments;

interface ArgumentsProps {
  readonly values: Readonly<Record<string, unknown>>;
}

/** Lists all that a tool is called with, as plain text. */
export function Arguments({ values }: ArgumentsProps): ReactNode {
  const id = useId();
  return (
    <Section title={words.title} hint={words.hint}>
      <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-[10rem_minmax(0,1fr)]">
        {Object.entries(values).map(([name, value], at) => (
          <Fragment key={name}>
            <dt
              id={`${id}-${at}`}
              className="font-mono text-sm wrap-anywhere text-ink-muted max-sm:-mb-2 sm:pt-1.5"
            >
              {visible(name)}
            </dt>
            <dd className="min-w-0">
              <pre
                dir={typeof value === 'string' ? 'auto' : undefined}
                // Focusable, so that the arrow keys scroll it.
                tabIndex={0}
                role="group"
                aria-labelledby={`${id}-${at}`}
                className="max-h-48 overflow-y-auto rounded-md bg-sunken px-2.5 py-1.5 font-mono text-sm wrap-anywhere whitespace-pre-wrap"
              >
                {visible(shown(value))}
              </pre>
            </dd>
          </Fragment>
        ))}
      </dl>
    </Section>
  );
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
