import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: ['src/index.ts', 'src/cli.ts'],
  format: 'esm',
  platform: 'node',
  target: 'es2022',
  dts: { entry: 'src/index.ts', sourcemap: true },
  sourcemap: true,
  fixedExtension: false,
});
