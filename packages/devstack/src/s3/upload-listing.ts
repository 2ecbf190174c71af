import type { Upload } from './bucket.ts';
import { commonPrefix } from './listing.ts';
import { compareUtf8 } from './names.ts';

export interface UploadListingRequest {
  prefix: string;
  delimiter: string;
  keyMarker: string;
  /** Applies only together with a key marker. */
  uploadIdMarker: string;
  maxEntries: number;
}

export interface UploadListing {
  uploads: Upload[];
  commonPrefixes: string[];
  next?: { keyMarker: string; uploadIdMarker: string };
}

/** Lists one page of unfinished uploads by key, then by upload id, which is by age. */
export function listUploads(
  uploads: Iterable<Upload>,
  request: UploadListingRequest,
): UploadListing {
  const { prefix, delimiter, maxEntries } = request;
  const page: UploadListing = { uploads: [], commonPrefixes: [] };
  const rest = [...uploads]
    .filter((upload) => upload.key.startsWith(prefix) && isAfterMarker(upload, request))
    .toSorted((a, b) => compareUtf8(a.key, b.key) || (a.uploadId < b.uploadId ? -1 : 1));
  let next: UploadListing['next'];
  for (const upload of rest) {
    const folded = commonPrefix(upload.key, { prefix, delimiter });
    if (folded !== undefined && folded === page.commonPrefixes.at(-1)) continue;
    if (page.uploads.length + page.commonPrefixes.length >= maxEntries) {
      return next === undefined ? page : { ...page, next };
    }
    if (folded === undefined) {
      page.uploads.push(upload);
      next = { keyMarker: upload.key, uploadIdMarker: upload.uploadId };
    } else {
      page.commonPrefixes.push(folded);
      next = { keyMarker: folded, uploadIdMarker: '' };
    }
  }
  return page;
}

function isAfterMarker(upload: Upload, request: UploadListingRequest): boolean {
  const { keyMarker, uploadIdMarker, prefix, delimiter } = request;
  if (keyMarker === '') return true;
  const folded = commonPrefix(upload.key, { prefix, delimiter });
  if (folded === keyMarker) return false;
  const order = compareUtf8(upload.key, keyMarker);
  if (order === 0) return uploadIdMarker !== '' && upload.uploadId > uploadIdMarker;
  return order > 0;
}
