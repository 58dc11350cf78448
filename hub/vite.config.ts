import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { asciiChunks } from '../tools/ascii-chunks.ts'

/** What libraries would use if it were installed; they go on without it. */
const optional = /(sshcrypto|cpufeatures)\.node$|^cpu-features$|^pg-native$|^cloudflare:/

/** ssh2 is of the time of CommonJS and asks for its folder. */
const banner = 'const __filename = import.meta.filename, __dirname = import.meta.dirname;'

const threads = globSync('src/**/*-thread.ts', { cwd: import.meta.dirname })

/**
 * The hub as few files that need nothing but Node: its threads have files of their own, and what is seldom needed is loaded
 * when it is. Names are kept, for the traces in logs.
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
