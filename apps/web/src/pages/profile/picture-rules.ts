import { texts } from '../../texts/profile.ts';

export const pictureTypes = ['image/png', 'image/jpeg', 'image/webp'] as const;
export type PictureType = (typeof pictureTypes)[number];

const maxBytes = 5 * 1024 * 1024;

export function pictureTypeOf(type: string): PictureType | undefined {
  return pictureTypes.find((one) => one === type);
}

/** Returns why a file can't be used as a profile picture; undefined if it can. */
export function problemOf({ type, size }: Pick<File, 'type' | 'size'>): string | undefined {
  if (!pictureTypeOf(type)) return texts.picture.wrongType;
  return size > maxBytes ? texts.picture.tooLarge : undefined;
}
