export * from '../../src/index.ts';
export * from '../../src/passkeys.ts';
export * from '../../src/resume.ts';
export * from '../../src/shares.ts';
export * from '../../src/sign-in.ts';
export * from '../../src/upload.ts';
