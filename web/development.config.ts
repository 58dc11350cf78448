import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const folder = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** The page that shows every part of `src/ui` in every state. It is no part of the product: its files stay in a cache. */
export default defineConfig({
  root: folder('development'),
  base: './',
  publicDir: folder('public'),
  cacheDir: folder('../node_modules/.cache/vite-development'),
  plugins: [react(), tailwindcss()],
  server: { fs: { allow: [folder('..')] } },
  build: { outDir: folder('../node_modules/.cache/development-page'), emptyOutDir: true, target: 'es2022', reportCompressedSize: false },
})
