/** Media types of uploaded pictures. */
export type PictureType = 'image/png' | 'image/jpeg' | 'image/webp';

/** A thumbnail, and the size of the original in pixels, as displayed. */
export interface Thumbnail {
  readonly content: Buffer;
  readonly originalWidth: number;
  readonly originalHeight: number;
}

/** Decodes untrusted pictures. */
export interface Pictures {
  /**
   * Runs what has a whole picture in memory: reading it, and waiting for what is made of it.
   *
   * @throws Failure `service_unavailable` (503) before it begins, when too many others run
   */
  holding<Result>(work: () => Promise<Result>): Promise<Result>;
  /**
   * Crops a picture to a square: upright, 512 × 512 pixels, its first frame, WebP, without metadata. Runs one at a time; others
   * wait, under {@link holding}.
   *
   * @param declaredType - must match the picture's first bytes
   * @returns null if it is not a complete picture of this type within 25 megapixels
   */
  squareWebp(content: Buffer, declaredType: PictureType): Promise<Buffer | null>;
  /**
   * Checks whether {@link thumbnail} supports a type.
   *
   * @param type - detected from the content's first bytes
   */
  knows(picture: { readonly type: string | null; readonly bytes: number }): boolean;
  /**
   * Creates a thumbnail: upright, its first frame, its longer side 512 pixels at most, WebP, without
   * metadata. Runs one at a time; others wait.
   *
   * @returns null if it is not a complete picture, or would take too much memory or time
   */
  thumbnail(content: Buffer): Promise<Thumbnail | null>;
  /**
   * Re-encodes a cover that a client made: a JPEG of at most 2,048 pixels wide and high becomes a WebP of at most 512,
   * without metadata.
   *
   * @returns null if it is not such a picture, or not complete
   * @throws Failure `service_unavailable` (503) when too many pictures are waiting
   */
  cover(content: Buffer): Promise<Buffer | null>;
  /**
   * Derives a picture for visitors: upright, its first frame, its longer side 2,048 pixels at most, JPEG, without
   * metadata. Waits like {@link thumbnail}.
   *
   * @param watermark - text across the picture; null: none
   * @returns null if it is not a complete picture, would take too much memory or time, or can't get its watermark
   */
  shared(content: Buffer, watermark: string | null): Promise<Buffer | null>;
}
