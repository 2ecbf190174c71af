import { ApiError } from './errors.ts';
import type { InitiateUploadBody, ResumedUpload } from './generated/types.ts';
import type { CallOptions, Client } from './types.ts';
import type { RememberedUpload } from './upload-resume.ts';
import { orAborted } from './waiting.ts';

/** Addresses that end within this are not begun with. */
const expiryMarginMs = 60_000;

/** The answer of an initiation, or of a resumption. */
type Started = Omit<ResumedUpload, 'fileSize' | 'uploadedParts'> & Partial<ResumedUpload>;

interface Opening {
  readonly api: Client;
  readonly body: InitiateUploadBody;
  readonly callOptions: CallOptions;
  readonly remembered: RememberedUpload;
  readonly onStored: (partNumber: number, bytes: number) => void;
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

/** Goes on with the upload that is remembered, while it lives; else begins one and remembers it. */
export async function openTarget(opening: Opening): Promise<UploadTarget> {
  const { api, body, callOptions, remembered, onStored } = opening;
  let started = await resumed(opening);
  if (!started) {
    started = await api.uploads.initiate({ body }, callOptions);
    await remembered.set(`${started.uploadId} ${started.key}`);
  }
  const { uploadId, key, partSize } = started;
  let renewal: Promise<void> | undefined;
  const target: UploadTarget = {
    uploadId,
    key,
    partSize,
    eTags: new Map(),
    urls: new Map(),
    staleAt: 0,
    renew(signal) {
      renewal ??= api.uploads
        .parts({ params: { uploadId } }, callOptions)
        .then(adopt)
        .catch((error: unknown) => {
          if (error instanceof ApiError && error.status === 400) throw error;
        })
        .finally(() => {
          renewal = undefined;
        });
      return orAborted(renewal, signal);
    },
  };

  function adopt({ parts, uploadedParts, expiresAt }: Started): void {
    for (const { partNumber, url } of parts) target.urls.set(partNumber, url);
    for (const { partNumber, eTag, size } of uploadedParts ?? []) {
      target.eTags.set(partNumber, eTag);
      onStored(partNumber, size);
    }
    const endsAt = Date.parse(expiresAt) - expiryMarginMs;
    // By a clock that is wrong they have ended already: the storage's refusal tells then.
    target.staleAt = endsAt > Date.now() ? endsAt : Infinity;
  }

  adopt(started);
  return target;
}

async function resumed(opening: Opening): Promise<Started | null> {
  const { api, body, callOptions, remembered } = opening;
  const { fileSize } = body;
  const [, uploadId, key = ''] = /(\S+) (.*)/.exec((await remembered.get()) ?? '') ?? [];
  if (!uploadId) return null;
  const result = await api.uploads.parts({ params: { uploadId } }, callOptions).result();
  if (result.ok) return result.data.fileSize === fileSize ? result.data : null;
  const { code = '' } = result.error;
  if (code === 'upload_already_completed') {
    // The answer got lost. Completing it again gives the asset, whatever its parts.
    const uploadedParts = [{ partNumber: 1, eTag: 'stored', size: fileSize }];
    return { uploadId, key, partSize: 1, parts: [], uploadedParts, expiresAt: '' };
  }
  if (/not_|validation/.test(code)) return null;
  throw result.error;
}
