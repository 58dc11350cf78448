import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import type { UserConfig } from 'vite'
import { precompress } from './precompress.ts'

/** Options of a page of the product with a bundle of its own. `root`: its folder below `web`; `outDir`: where it is built, relative to that. */
export const pageConfig = (root: string, outDir: string): UserConfig => ({
  root: fileURLToPath(new URL(`../${root}`, import.meta.url)),
  // Relative to the page's base, which the hub sets.
  base: './',
  plugins: [react(), tailwindcss(), precompress()],
  build: {
    outDir,
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
