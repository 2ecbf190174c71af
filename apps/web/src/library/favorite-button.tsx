import { Star } from 'lucide-react';
import type { ReactNode } from 'react';
import { texts } from '../texts/library.ts';
import { classNames } from '../ui/class-names.ts';
import { IconButton } from '../ui/icon-button.tsx';

interface FavoriteButtonProps {
  readonly name: string;
  readonly isFavorite: boolean;
  readonly onChange: (isFavorite: boolean) => void;
  readonly size?: 'sm' | 'md' | undefined;
}

/** Shows a star that is filled while the item is a favorite. */
export function FavoriteButton({
  name,
  isFavorite,
  onChange,
  size,
}: FavoriteButtonProps): ReactNode {
  return (
    <IconButton
      icon={Star}
      label={texts.favorite(name)}
      size={size}
      aria-pressed={isFavorite}
      onClick={() => onChange(!isFavorite)}
      className={classNames(isFavorite && 'text-accent [&_svg]:fill-current')}
    />
  );
}
