import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: ['src/index.ts', 'src/entries/*.ts', 'src/generated/schemas.ts'],
  format: 'esm',
  platform: 'neutral',
  target: 'es2022',
  // A file for each source: bundlers leave out the files that nothing is imported from.
  unbundle: true,
  dts: { sourcemap: true },
  sourcemap: true,
  fixedExtension: false,
});
