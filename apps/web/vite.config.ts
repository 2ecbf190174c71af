import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const baseModules =
  /apps\/web\/src\/|node_modules\/(@tanstack|@radix-ui|radix-ui|react|react-dom)\/|packages\/client\//;

/** The API that the development server proxies to. */
const api = 'http://localhost:3000';

export default defineConfig({
  plugins: [react(), tailwindcss(), compressed()],
  server: { port: 5173, proxy: { '/api': api, '/s/': api, '/health': api } },
  build: {
    target: 'es2022',
    // Browsers that support `light-dark()`: transpiling it for older ones doubles every colour.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    manifest: true,
    // The paths under `/assets` are pages of the app.
    assetsDir: '_app',
    // The content security policy blocks `data:` fonts and styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          // In files of their own, the icons of the shell are twice as large.
          groups: [
            { name: 'icons', test: /lucide-react/, minShareCount: 2 },
            // Together, what nearly every page loads is smaller than in dozens of files.
            { name: 'base', test: baseModules, minShareCount: 20 },
          ],
        },
      },
    },
  },
});

/** Writes a `.br` and a `.gz` beside each file, for servers that send precompressed files. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    writeBundle({ dir = '' }) {
      for (const name of globSync('**/*.{css,html,js,svg}', { cwd: dir })) {
        const file = join(dir, name);
        const text = readFileSync(file);
        writeFileSync(`${file}.br`, brotliCompressSync(text, { params: brotli }));
        writeFileSync(`${file}.gz`, gzipSync(text, { level: 9 }));
      }
    },
  };
}

/** The highest quality takes twenty times as long and saves only a few percent. */
const brotli = { [constants.BROTLI_PARAM_QUALITY]: 9 };
