import { MockFailure } from './failure.ts';
import type { MockRequest } from './requests.ts';
import type { MockResponse } from './response.ts';
import { capacityBytes, pictureFor } from './storage.ts';
import type { State } from './state/model.ts';
import type { Stored } from './state/store.ts';

/** Stores or reads an object, as the object storage behind presigned URLs does. */
export function objectResponse(
  { storage, store }: State,
  { method, url, body, headers }: MockRequest,
): MockResponse {
  const { pathname, searchParams } = url;
  if (method === 'PUT') {
    const size = searchParams.get('size');
    const uploadId = /^\/mock-storage\/uploads\/([^/]+)\//.exec(pathname)?.[1];
    const upload = store.find('upload', uploadId);
    const isOver = uploadId !== undefined && !isActive(upload);
    // A presigned URL is signed for one size.
    const isOtherSize = size !== null && Number(size) !== body.length;
    if (isOver || isOtherSize) throw new MockFailure('permission_denied');
    // Its last parts would evict the first ones.
    if (Number(upload?.fields['fileSize']) > capacityBytes) throw new MockFailure('body_too_large');
    const stored = storage.put(pathname, body, headers['content-type'] ?? '');
    return { status: 200, headers: { etag: stored.eTag }, body: null };
  }
  if (method !== 'GET') {
    throw new MockFailure('method_not_allowed', { headers: { allow: 'GET, PUT' } });
  }
  const { bytes, type, eTag } = storage.get(pathname) ?? pictureFor(pathname);
  const givenType = searchParams.get('type');
  const disposition = searchParams.get('disposition');
  if (!isSendable(givenType) || !isSendable(disposition)) {
    throw new MockFailure('malformed_request');
  }
  return {
    status: 200,
    headers: {
      'content-type': givenType ?? (type === '' ? 'application/octet-stream' : type),
      etag: eTag,
      ...(disposition !== null && { 'content-disposition': disposition }),
    },
    body: bytes,
  };
}

/** Whether a header can have a value (RFC 9110, section 5.5). */
function isSendable(value: string | null): boolean {
  return value === null || /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
}

function isActive(upload: Stored | undefined): boolean {
  return upload?.fields['status'] === 'ACTIVE';
}
