import type { Client } from './api.ts';
import { ApiError } from './errors.ts';
import type { InitiateUploadBody, ResumedUpload } from './generated/types.ts';
import type { Progress } from './upload-progress.ts';
import type { CallOptions } from './types.ts';
import type { Memory } from './upload-resume.ts';
import { orAborted } from './waiting.ts';

/** Addresses that end within this are not begun with. */
const expiryMarginMs = 60_000;

/** The answer of an initiation, or of a resumption. */
type Started = Omit<ResumedUpload, 'fileSize' | 'uploadedParts'> & Partial<ResumedUpload>;

interface Opening {
  readonly api: Client;
  readonly body: InitiateUploadBody;
  readonly callOptions: CallOptions;
  readonly memory: Memory;
  readonly progress: Pick<Progress, 'set'>;
}

/** Where the parts of an upload go, and which of them are stored. */
export interface UploadTarget {
  readonly uploadId: string;
  readonly key: string;
  readonly partSize: number;
  readonly eTags: Map<number, string>;
  readonly urls: Map<number, string>;
  /** When the addresses end, in milliseconds. */
  staleAt: number;
  /**
   * Asks what is stored, for fresh addresses of the rest; once for all who ask at the same time. Does
   * what it can: throws only when the upload is given up, and the reason of the signal.
   */
  renew(signal: AbortSignal): Promise<void>;
}

/** Whether an upload failed for good: nothing is left to go on with. */
export function isOver(error: unknown): boolean {
  return error instanceof ApiError && error.status === 400;
}

/** Goes on with the upload that is remembered, while it lives; else begins one and remembers it. */
export async function openTarget({
  api,
  body,
  callOptions,
  memory,
  progress,
}: Opening): Promise<UploadTarget> {
  const ask = (uploadId: string) => api.uploads.parts({ params: { uploadId } }, callOptions);
  const started = (await resumed()) ?? (await begun());
  let renewal: Promise<void> | undefined;
  const target: UploadTarget = {
    ...started,
    eTags: new Map(),
    urls: new Map(),
    staleAt: 0,
    renew(signal) {
      renewal ??= ask(started.uploadId)
        .then(adopt, (error: unknown) => {
          if (isOver(error)) throw error;
        })
        .finally(() => {
          renewal = undefined;
        });
      return orAborted(renewal, signal);
    },
  };
  adopt(started);
  return target;

  async function resumed(): Promise<Started | null> {
    const { fileSize } = body;
    const [, uploadId, key = ''] = /(\S+) (.*)/.exec(String(await memory('get'))) ?? [];
    if (!uploadId) return null;
    const result = await ask(uploadId).result();
    if (result.ok) return result.data.fileSize === fileSize ? result.data : null;
    const { code = '' } = result.error;
    if (/not_|validation/.test(code)) return null;
    if (code !== 'upload_already_completed') throw result.error;
    // The answer got lost. Completing it again gives the asset, whatever its parts.
    const uploadedParts = [{ partNumber: 1, eTag: 'stored', size: fileSize }];
    return { uploadId, key, partSize: 1, parts: [], uploadedParts, expiresAt: '' };
  }

  async function begun(): Promise<Started> {
    const initiated = await api.uploads.initiate({ body }, callOptions);
    await memory('set', `${initiated.uploadId} ${initiated.key}`);
    return initiated;
  }

  function adopt({ parts, uploadedParts, expiresAt }: Started): void {
    for (const { partNumber, url } of parts) target.urls.set(partNumber, url);
    for (const { partNumber, eTag, size } of uploadedParts ?? []) {
      target.eTags.set(partNumber, eTag);
      progress.set(partNumber, size);
    }
    const endsAt = Date.parse(expiresAt) - expiryMarginMs;
    // By a clock that is wrong they have ended already: the storage's refusal tells then.
    target.staleAt = endsAt > Date.now() ? endsAt : Infinity;
  }
}
