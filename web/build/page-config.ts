import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import type { UserConfig } from 'vite'
import { precompress } from './precompress.ts'

/**
 * Returns the Vite options of a page with a bundle of its own. `root` is its folder below `web`, `outDir` the build folder relative to
 * that.
 */
export const pageConfig = (root: string, outDir: string): UserConfig => ({
  root: fileURLToPath(new URL(`../${root}`, import.meta.url)),
  // Relative to the page's base URL, which the hub sets.
  base: './',
  plugins: [react(), tailwindcss(), precompress()],
  build: {
    outDir,
    emptyOutDir: true,
    manifest: true,
    // Licence notices of the bundled packages, served by the hub.
    license: { fileName: 'licenses.txt' },
    target: 'es2022',
    // Every file is hashed and cached for ever; a data URL would be downloaded again with each change of its chunk.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    modulePreload: { polyfill: false },
  },
})
