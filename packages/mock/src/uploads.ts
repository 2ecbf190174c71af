import type { Operation } from '@atelier/contract';
import { randomFor } from './random.ts';
import type { Input } from './requests.ts';
import type { MockContext } from './responses.ts';
import { idOf } from './values.ts';

interface GeneratedBody {
  readonly operation: Operation;
  readonly input: Input;
  readonly generated: unknown;
}

const partSize = 8 * 1024 * 1024;

/** Adds the URLs of every part to the body of an initiated upload; returns other bodies unchanged. */
export function uploadBody(
  context: MockContext,
  { operation, input, generated }: GeneratedBody,
): unknown {
  if (operation.id !== 'uploads.initiate') return generated;
  const { fileSize, fileName, collectionId } = input.body as {
    fileSize: number;
    fileName: string;
    collectionId: string;
  };
  // The same request starts the same upload: the mock has one user.
  const uploadId = idOf(randomFor(context.seed, collectionId, fileName, fileSize));
  const count = Math.max(1, Math.ceil(fileSize / partSize));
  const { data, ...frame } = generated as { data: object };
  return {
    ...frame,
    data: {
      ...data,
      uploadId,
      key: `collection/${collectionId}/${uploadId}/${fileName}`,
      partSize,
      parts: Array.from({ length: count }, (_, index) => ({
        partNumber: index + 1,
        url: `${context.baseUrl}/mock-storage/${uploadId}/${index + 1}`,
      })),
    },
  };
}
