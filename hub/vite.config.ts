import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { asciiChunks } from '../tools/ascii-chunks.ts'

/** Optional dependencies of libraries, which work without them. */
const optional = /(sshcrypto|cpufeatures)\.node$|^cpu-features$|^pg-native$|^cloudflare:/

/** ssh2 is a CommonJS package and uses `__dirname`. */
const banner = 'const __filename = import.meta.filename, __dirname = import.meta.dirname;'

const threads = globSync('src/**/*-thread.ts', { cwd: import.meta.dirname })

/**
 * Bundles the hub into few files that need only Node. Worker threads have their own files, and rarely used code is loaded
 * on first use. Names are kept for stack traces in logs.
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
