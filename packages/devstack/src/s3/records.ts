/** The attributes of an object. Header values are the received bytes as Latin-1 text. */
export interface ObjectAttributes {
  /** `content-type`, `cache-control` and others. */
  contentHeaders: Record<string, string>;
  /** By lower-case name without the `x-amz-meta-` prefix. */
  userMetadata: Record<string, string>;
}

/** A range of an object's bytes in one blob. */
export interface Segment {
  blobId: string;
  sizeBytes: number;
}

export interface ObjectRecord extends ObjectAttributes {
  key: string;
  sizeBytes: number;
  /** Without quotes. */
  eTag: string;
  /** ISO 8601 with milliseconds. */
  lastModified: string;
  segments: Segment[];
  /** The multipart upload that created it: a crash after completing must not restore that upload. */
  uploadId?: string;
}

export interface PartRecord extends Segment {
  partNumber: number;
  eTag: string;
  lastModified: string;
}

export interface UploadRecord extends ObjectAttributes {
  uploadId: string;
  key: string;
  initiated: string;
}

export interface CorsRule {
  id?: string;
  allowedOrigins: string[];
  allowedMethods: string[];
  allowedHeaders: string[];
  exposeHeaders: string[];
  maxAgeSeconds?: number;
}

export interface BucketRecord {
  createdAt: string;
  corsRules?: CorsRule[];
}

/** A record that is damaged or of another program. */
export class DamagedRecord extends Error {
  constructor(path: string, cause: unknown) {
    super(`The stored record ${path} is not readable.`, { cause });
    this.name = 'DamagedRecord';
  }
}

type Json = Record<string, unknown>;

export function readObjectRecord(json: unknown): ObjectRecord {
  const record = object(json);
  return {
    ...readAttributes(record),
    key: text(record['key']),
    sizeBytes: count(record['sizeBytes']),
    eTag: text(record['eTag']),
    lastModified: text(record['lastModified']),
    segments: list(record['segments']).map(readSegment),
    ...(record['uploadId'] === undefined ? {} : { uploadId: text(record['uploadId']) }),
  };
}

export function readPartRecord(json: unknown): PartRecord {
  const record = object(json);
  return {
    ...readSegment(record),
    partNumber: count(record['partNumber']),
    eTag: text(record['eTag']),
    lastModified: text(record['lastModified']),
  };
}

export function readUploadRecord(json: unknown): UploadRecord {
  const record = object(json);
  return {
    ...readAttributes(record),
    uploadId: text(record['uploadId']),
    key: text(record['key']),
    initiated: text(record['initiated']),
  };
}

export function readBucketRecord(json: unknown): BucketRecord {
  const record = object(json);
  const createdAt = text(record['createdAt']);
  if (record['corsRules'] === undefined) return { createdAt };
  return { createdAt, corsRules: list(record['corsRules']).map(readCorsRule) };
}

function readCorsRule(json: unknown): CorsRule {
  const rule = object(json);
  return {
    ...(rule['id'] === undefined ? {} : { id: text(rule['id']) }),
    allowedOrigins: list(rule['allowedOrigins']).map(text),
    allowedMethods: list(rule['allowedMethods']).map(text),
    allowedHeaders: list(rule['allowedHeaders']).map(text),
    exposeHeaders: list(rule['exposeHeaders']).map(text),
    ...(rule['maxAgeSeconds'] === undefined ? {} : { maxAgeSeconds: count(rule['maxAgeSeconds']) }),
  };
}

function readAttributes(record: Json): ObjectAttributes {
  return {
    contentHeaders: texts(record['contentHeaders']),
    userMetadata: texts(record['userMetadata']),
  };
}

function readSegment(json: unknown): Segment {
  const { blobId, sizeBytes } = object(json);
  if (typeof blobId !== 'string' || !/^[0-9a-f]{32}$/.test(blobId))
    throw new TypeError('not a blob id');
  return { blobId, sizeBytes: count(sizeBytes) };
}

function object(json: unknown): Json {
  if (typeof json !== 'object' || json === null) throw new TypeError('not an object');
  return { ...json };
}

function list(json: unknown): unknown[] {
  if (!Array.isArray(json)) throw new TypeError('not a list');
  return json;
}

function text(json: unknown): string {
  if (typeof json !== 'string') throw new TypeError('not a text');
  return json;
}

function count(json: unknown): number {
  if (typeof json !== 'number' || !Number.isSafeInteger(json) || json < 0)
    throw new TypeError('not a count');
  return json;
}

function texts(json: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(object(json)).map(([name, value]) => [name, text(value)]),
  );
}
