import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';

/** Groups related content on a surface. */
export function Card({ className, ...rest }: ComponentProps<'section'>): ReactNode {
  return (
    <section
      {...rest}
      className={classNames('rounded-xl border border-line bg-surface p-5', className)}
    />
  );
}
