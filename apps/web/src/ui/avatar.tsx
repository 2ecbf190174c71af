import { useState, type ReactNode } from 'react';
import { classNames } from './class-names.ts';

const sizes = {
  xs: 'size-6 text-[0.625rem] tracking-tight',
  sm: 'size-7 text-xs',
  fill: 'size-full text-xs',
  md: 'size-9 text-sm',
  lg: 'size-20 text-xl',
};
const tones = [
  'bg-accent-soft text-accent',
  'bg-info-soft text-info',
  'bg-violet-soft text-violet',
  'bg-warning-soft text-warning',
  'bg-danger-soft text-danger',
  'bg-success-soft text-success',
];

interface AvatarProps {
  readonly name: string;
  readonly url?: string | null | undefined;
  readonly size?: keyof typeof sizes | undefined;
  /** Organizations are square, people round. */
  readonly shape?: 'round' | 'square' | undefined;
}

/** Shows a picture or initials. Decorative: the name is always available beside it. */
export function Avatar({ name, url, size = 'sm', shape = 'round' }: AvatarProps): ReactNode {
  const [brokenUrl, setBrokenUrl] = useState<string>();
  const shared = classNames(
    'inline-flex shrink-0 items-center justify-center overflow-hidden font-semibold uppercase select-none',
    shape === 'round' ? 'rounded-full' : 'rounded-md',
    sizes[size],
  );
  if (url && url !== brokenUrl) {
    return (
      <img
        src={url}
        alt=""
        onError={() => setBrokenUrl(url)}
        className={classNames(shared, 'object-cover')}
      />
    );
  }
  return (
    <span aria-hidden className={classNames(shared, tones[toneOf(name)])}>
      {initialsOf(name)}
    </span>
  );
}

function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const ends = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return ends.map((word) => Array.from(word ?? '')[0] ?? '').join('');
}

function toneOf(name: string): number {
  return (
    Array.from(name).reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % tones.length
  );
}
