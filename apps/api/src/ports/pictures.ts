/** Media types that a picture may be uploaded as. */
export type PictureType = 'image/png' | 'image/jpeg' | 'image/webp';

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
}
