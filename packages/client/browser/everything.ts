export * from '../src/index.ts';
export * from '../src/upload.ts';
