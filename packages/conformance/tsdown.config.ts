import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: ['src/index.ts', 'src/cli.ts'],
  format: 'esm',
  platform: 'node',
  target: 'es2022',
  // The tests reach into the service, whose declarations nobody wants written.
  tsconfig: 'tsconfig.src.json',
  dts: { entry: 'src/index.ts' },
  sourcemap: false,
  fixedExtension: false,
});
