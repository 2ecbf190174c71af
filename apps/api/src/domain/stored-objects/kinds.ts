/** Where the objects of each kind lie in the storage. */
export const objectPrefixes = {
  content: 'collection/',
  thumbnail: 'thumbnail/',
  avatar: 'avatar/',
  export: 'export/',
  sharePicture: 'share-picture/',
} as const;

export type ObjectKind = keyof typeof objectPrefixes;

// The keys of the record.
export const objectKinds = Object.keys(objectPrefixes) as readonly ObjectKind[];
