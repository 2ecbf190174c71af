import type { CorsRule, ObjectRecord, PartRecord, UploadRecord } from './records.ts';
import type { SortedMap } from './sorted-map.ts';

/** A multipart upload in progress. */
export interface Upload extends UploadRecord {
  parts: Map<number, PartRecord>;
}

export interface BucketContent {
  name: string;
  createdAt: string;
  corsRules: CorsRule[] | undefined;
  objects: SortedMap<ObjectRecord>;
  uploads: Map<string, Upload>;
}

/** The state of a bucket, in memory for reading and listing. */
export class Bucket {
  readonly name: string;
  readonly createdAt: string;
  readonly objects: SortedMap<ObjectRecord>;
  readonly uploads: Map<string, Upload>;
  corsRules: CorsRule[] | undefined;
  /** Number of writes in progress: a bucket is not empty while an object is being written. */
  pendingWrites = 0;

  constructor(content: BucketContent) {
    this.name = content.name;
    this.createdAt = content.createdAt;
    this.corsRules = content.corsRules;
    this.objects = content.objects;
    this.uploads = content.uploads;
  }
}
