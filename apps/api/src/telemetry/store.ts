import { SpanKind } from '@opentelemetry/api';
import type { ObjectStore } from '../ports/object-store.ts';
import { errorAttribute, requestBuckets, withinSpan, type Instruments } from './instruments.ts';

/** Wraps a storage with a span and metrics for every network request. Neither contains keys. */
export function observeStore(store: ObjectStore, { tracer, meter }: Instruments): ObjectStore {
  const duration = meter.createHistogram('atelier.storage.duration', {
    unit: 's',
    description: 'Time of a call to the storage, repetitions included',
    advice: { explicitBucketBoundaries: requestBuckets },
  });
  const errors = meter.createCounter('atelier.storage.errors', {
    unit: '{call}',
    description: 'Calls to the storage that failed',
  });

  function observed<Result>(operation: string, work: () => Promise<Result>): Promise<Result> {
    const named = { 'atelier.storage.operation': operation };
    const span = tracer.startSpan(`storage ${operation}`, {
      kind: SpanKind.CLIENT,
      attributes: named,
    });
    return withinSpan(span, work, ({ seconds, errorType }) => {
      const attributes = { ...named, ...errorAttribute(errorType) };
      duration.record(seconds, attributes);
      if (errorType !== null) errors.add(1, attributes);
    });
  }

  async function* pages<Page>(operation: string, listed: AsyncIterable<Page>): AsyncIterable<Page> {
    const iterator = listed[Symbol.asyncIterator]();
    for (;;) {
      const page = await observed(operation, () => iterator.next());
      if (page.done === true) return;
      yield page.value;
    }
  }

  return {
    setUp: (origins) => observed('setUp', () => store.setUp(origins)),
    ping: () => observed('ping', () => store.ping()),
    createMultipartUpload: (upload) =>
      observed('createMultipartUpload', () => store.createMultipartUpload(upload)),
    putPart: (part) => observed('putPart', () => store.putPart(part)),
    listParts: (upload) => observed('listParts', () => store.listParts(upload)),
    completeMultipartUpload: (upload) =>
      observed('completeMultipartUpload', () => store.completeMultipartUpload(upload)),
    abortMultipartUpload: (upload) =>
      observed('abortMultipartUpload', () => store.abortMultipartUpload(upload)),
    listMultipartUploads: (prefix) =>
      pages('listMultipartUploads', store.listMultipartUploads(prefix)),
    listObjects: (prefix) => pages('listObjects', store.listObjects(prefix)),
    statObject: (key) => observed('statObject', () => store.statObject(key)),
    deleteObject: (key) => observed('deleteObject', () => store.deleteObject(key)),
    readObject: (object) => observed('readObject', () => store.readObject(object)),
    readRange: (range) => observed('readRange', () => store.readRange(range)),
    putObject: (object) => observed('putObject', () => store.putObject(object)),
    putStream: (object) => observed('putStream', () => store.putStream(object)),
    // Created without a network request.
    presignPart: (part) => store.presignPart(part),
    presignPut: (object) => store.presignPut(object),
    presignDownload: (download) => store.presignDownload(download),
  };
}
