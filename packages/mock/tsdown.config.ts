import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: ['src/index.ts', 'src/cli.ts', 'src/msw.ts'],
  format: 'esm',
  platform: 'neutral',
  target: 'es2022',
  dts: { entry: ['src/index.ts', 'src/msw.ts'], sourcemap: true },
  sourcemap: true,
  fixedExtension: false,
});
