import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { asciiChunks } from '../tools/ascii-chunks.ts'

/** Regular expression for optional modules of the packages ssh2 and pg, which work without them. The bundle leaves them out. */
const optional = /(sshcrypto|cpufeatures)\.node$|^cpu-features$|^pg-native$|^cloudflare:/

/** JavaScript at the start of each bundled file of the hub: it defines `__dirname`, which the CommonJS package ssh2 uses. */
const banner = 'const __filename = import.meta.filename, __dirname = import.meta.dirname;'

const threads = globSync('src/**/*-thread.ts', { cwd: import.meta.dirname })

/**
 * Vite configuration object, which bundles the hub into few files that need only Node. Worker threads have their own files, and rarely used
 * code is loaded on first use. Names are kept for stack traces.
 */
export default {
  logLevel: 'warn',
  ssr: { noExternal: true, target: 'node' },
  plugins: [asciiChunks],
  build: {
    ssr: true,
    outDir: 'dist',
    target: 'node24',
    // Licence notices of what is bundled.
    license: { fileName: 'licenses.txt' },
    rolldownOptions: {
      input: Object.fromEntries([['vedette-hub', 'src/main.ts'], ...threads.map((file) => [basename(file, '.ts'), file])]),
      external: (id: string) => optional.test(id),
      output: {
        entryFileNames: '[name].mjs',
        chunkFileNames: '[name]-[hash].mjs',
        minify: { mangle: false, compress: true, codegen: { removeWhitespace: true } },
        banner,
      },
    },
  },
}
