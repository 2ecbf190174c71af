import type { ResumeStore } from './upload-resume.ts';

export type { Resume, ResumeStore } from './upload-resume.ts';

/** Remembers uploads in memory. */
export function memoryUploads(): ResumeStore {
  return new Map<string, string>();
}

/** Remembers uploads in the browser's local storage. */
export function localStorageUploads(): ResumeStore {
  return {
    get: (key) => localStorage.getItem(key),
    set: (key, value) => localStorage.setItem(key, value),
    delete: (key) => localStorage.removeItem(key),
  };
}
