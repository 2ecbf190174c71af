import type { Operation } from '@atelier/contract';
import { randomFor } from './random.ts';
import type { Input } from './requests.ts';
import type { World } from './answers.ts';
import { idOf } from './values.ts';

interface MadeAnswer {
  readonly operation: Operation;
  readonly input: Input;
  readonly made: unknown;
}

const partSize = 8 * 1024 * 1024;

/** The body, with as many addresses as the announced file has parts where it starts an upload. */
export function uploadBody(world: World, { operation, input, made }: MadeAnswer): unknown {
  if (operation.id !== 'uploads.initiate') return made;
  const { fileSize, fileName, collectionId } = input.body as {
    fileSize: number;
    fileName: string;
    collectionId: string;
  };
  // The same call gives the same upload: nobody else is here.
  const uploadId = idOf(randomFor(world.seed, collectionId, fileName, fileSize));
  const count = Math.max(1, Math.ceil(fileSize / partSize));
  const { data, ...frame } = made as { data: object };
  return {
    ...frame,
    data: {
      ...data,
      uploadId,
      key: `collection/${collectionId}/${uploadId}/${fileName}`,
      partSize,
      parts: Array.from({ length: count }, (_, index) => ({
        partNumber: index + 1,
        url: `${world.baseUrl}/mock-storage/${uploadId}/${index + 1}`,
      })),
    },
  };
}
