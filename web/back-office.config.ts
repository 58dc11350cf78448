import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { lightClient } from './build/light-client.ts'
import { precompress } from './build/precompress.ts'
import { wordsOfOneLanguage } from './build/words.ts'

/** Its pages and what they share, as one file: as twenty small ones they are a tenth larger. Who signs in does not wait for it. */
const pages =
  /back-office\/(?:audit|backups|forms|health|jobs|settings|sign-in|bytes-text|records|logs)|features\/settings|ui\/(?:clipboard|text-field|form-error|switch|dialog|segmented)|react-dialog|react-focus|aria-hidden|remove-scroll|words\/messages\/office_/

/** The back-office: a page and a bundle of its own in the folder `_`, beside the dashboard's and apart from it. */
export default defineConfig({
  root: fileURLToPath(new URL('back-office', import.meta.url)),
  base: './',
  publicDir: false,
  plugins: [...wordsOfOneLanguage(), lightClient(), react(), tailwindcss(), precompress()],
  resolve: { alias: { 'use-sync-external-store/shim/index.js': 'react' } },
  build: {
    outDir: '../dist/_',
    emptyOutDir: true,
    manifest: true,
    license: { fileName: 'licenses.txt' },
    target: 'es2022',
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'pages', test: pages, entriesAware: false }] } } },
  },
})
