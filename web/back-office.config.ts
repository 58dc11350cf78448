import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { precompress } from './build/precompress.ts'

/** The back-office: a page and a bundle of its own in the folder `_`, beside the dashboard's and apart from it. */
export default defineConfig({
  root: fileURLToPath(new URL('back-office', import.meta.url)),
  base: './',
  publicDir: false,
  plugins: [react(), tailwindcss(), precompress()],
  build: {
    outDir: '../dist/_',
    emptyOutDir: true,
    manifest: true,
    license: { fileName: 'licenses.txt' },
    target: 'es2022',
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    modulePreload: { polyfill: false },
  },
})
