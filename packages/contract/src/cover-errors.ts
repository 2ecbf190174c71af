/** Errors of covers, part of the catalogue. */
export const coverErrors = {
  cover_unsupported: {
    status: 409,
    message: 'Only a PDF or video that was uploaded to this asset can get a cover',
    when: 'The version has another media type, or its content was published from another organization.',
  },
  cover_invalid: {
    status: 422,
    message: 'The cover must be a complete JPEG of at most 2,048 pixels wide and high',
    when: 'The picture can’t be decoded, is of another type, or too large.',
  },
} as const;
