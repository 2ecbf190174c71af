import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The API that the development server hands its calls to. */
const api = 'http://localhost:3000';

export default defineConfig({
  plugins: [react(), tailwindcss()],
  server: { port: 5173, proxy: { '/api': api, '/s/': api, '/health': api } },
  build: {
    target: 'es2022',
    // Browsers that know `light-dark()`: rewriting it for older ones doubles every colour.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    manifest: true,
    // The content security policy allows no `data:` fonts or styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
