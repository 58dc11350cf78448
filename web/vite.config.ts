import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { precompress } from './build/precompress.ts'

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Relative to the page's base, which the hub sets.
  base: './',
  plugins: [react(), tailwindcss(), precompress()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    manifest: true,
    // Licence notices of what is bundled, served beside it.
    license: { fileName: 'licenses.txt' },
    target: 'es2022',
    // Every chunk is hashed and cached for ever; a data URL would be sent again with each change of its chunk.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    modulePreload: { polyfill: false },
  },
})
