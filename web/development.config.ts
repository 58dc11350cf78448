import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const folder = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/**
 * Vite options of the development page that shows every component of `src/ui` in every state. The page is not shipped: its files stay in a
 * cache folder.
 */
export default defineConfig({
  root: folder('development'),
  base: './',
  publicDir: folder('public'),
  cacheDir: folder('../node_modules/.cache/vite-development'),
  plugins: [react(), tailwindcss()],
  server: { fs: { allow: [folder('..')] } },
  build: { outDir: folder('../node_modules/.cache/development-page'), emptyOutDir: true, target: 'es2022', reportCompressedSize: false },
})
