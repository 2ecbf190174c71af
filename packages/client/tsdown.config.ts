import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: [
    'src/index.ts',
    'src/download.ts',
    'src/events.ts',
    'src/files.ts',
    'src/react-query.ts',
    'src/resources.ts',
    'src/passkeys.ts',
    'src/resume.ts',
    'src/shares.ts',
    'src/sign-in.ts',
    'src/upload.ts',
    'src/webhooks.ts',
  ],
  format: 'esm',
  platform: 'neutral',
  target: 'es2022',
  dts: { sourcemap: true, tsconfig: 'tsconfig.src.json' },
  sourcemap: true,
  fixedExtension: false,
});
