import type { ResumeStore } from '@atelier/client/upload';
import { noteStarted } from './interrupted.ts';

/** Returns a store that also notes in the record of an upload what the service knows it by. */
export function notingStart(store: ResumeStore, id: string): ResumeStore {
  return {
    open(upload) {
      const memory = store.open(upload);
      return {
        ...memory,
        async recall(read) {
          const started = await memory.recall(read);
          if (started) noteStarted(id, started);
          return started;
        },
        begin(started) {
          noteStarted(id, started);
          return memory.begin(started);
        },
      };
    },
  };
}
