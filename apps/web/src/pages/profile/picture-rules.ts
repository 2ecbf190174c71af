import { texts } from '../../texts/profile.ts';

export const pictureTypes = ['image/png', 'image/jpeg', 'image/webp'] as const;
export type PictureType = (typeof pictureTypes)[number];

const maxBytes = 5 * 1024 * 1024;

export function pictureTypeOf(type: string): PictureType | undefined {
  return pictureTypes.find((one) => one === type);
}

/** Why a file can't be a picture of somebody, for people; undefined when it can. */
export function problemOf({ type, size }: Pick<File, 'type' | 'size'>): string | undefined {
  if (!pictureTypeOf(type)) return texts.picture.wrongType;
  return size > maxBytes ? texts.picture.tooLarge : undefined;
}
