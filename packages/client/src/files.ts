/** What requests of single files need. Unlike `./download.ts`, it needs no other package. */
export { safeFileName } from './entry-names.ts';
export { withinLimit } from './within-limit.ts';
