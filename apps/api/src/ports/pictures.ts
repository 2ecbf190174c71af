/** Media types that a picture may be uploaded as. */
export type PictureType = 'image/png' | 'image/jpeg' | 'image/webp';

/** A small picture of another, and how many pixels the other has, as it is to be seen. */
export interface Thumbnail {
  readonly content: Buffer;
  readonly originalWidth: number;
  readonly originalHeight: number;
}

/** Decodes pictures that nobody vouches for. */
export interface Pictures {
  /**
   * Cuts a picture to a square: upright, 512 × 512 pixels, its first frame, WebP, without metadata.
   *
   * @param declaredType - what the picture has to be by its first bytes
   * @returns null for what is not a whole picture of this type within 25 megapixels
   * @throws Failure `service_unavailable` (503) when too many pictures are waiting
   */
  squareWebp(content: Buffer, declaredType: PictureType): Promise<Buffer | null>;
  /**
   * Whether {@link thumbnail} reads such pictures at all.
   *
   * @param type - by the content's first bytes
   */
  knows(picture: { readonly type: string | null; readonly bytes: number }): boolean;
  /**
   * Makes a picture small: upright, its first frame, its longer side 512 pixels at most, WebP, without
   * metadata. One at a time; others wait.
   *
   * @returns null for what is no whole picture, or would take too much memory or time to read
   */
  thumbnail(content: Buffer): Promise<Thumbnail | null>;
}
