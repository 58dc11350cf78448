import { basename, join } from 'node:path'
import { asciiChunks } from '../tools/ascii-chunks.ts'

/** Matches optional dependencies of libraries, which work without them. */
const optional = /(sshcrypto|cpufeatures)\.node$|^cpu-features$|^pg-native$|^cloudflare:/

/** First line of each bundle: ssh2 is a CommonJS package and uses `__dirname`. */
const banner = 'const __filename = process.execPath, __dirname = process.execPath;'

/**
 * Vite plug-in object that replaces the address of a script by the one of a file in the root folder, which does not exist. Worker threads
 * run from `data:` addresses, for which Node.js neither creates a `require` nor knows a folder. The executable has no files beside it.
 */
const fileAddress = {
  name: 'file-address',
  renderChunk: (code: string) => code.replaceAll('import.meta.url', '"file:///vedette"').replaceAll('import.meta.dirname', '"/"'),
}

/**
 * Returns the Vite build options for one script of the single executable: the program itself, or the module of a worker thread. Each is one
 * file that imports only modules of Node, because the executable has no module files. Its path below the project's folder is the mode.
 */
export default ({ mode }: { readonly mode: string }) => ({
  logLevel: 'warn',
  plugins: [asciiChunks, fileAddress],
  ssr: { noExternal: true, target: 'node' },
  build: {
    ssr: join(import.meta.dirname, '..', mode),
    outDir: 'dist',
    emptyOutDir: false,
    target: 'node26',
    license: { fileName: `licenses-${basename(mode, '.ts')}.txt` },
    rolldownOptions: {
      external: (id: string) => optional.test(id),
      output: {
        entryFileNames: '[name].mjs',
        codeSplitting: false,
        minify: { mangle: false, compress: true, codegen: { removeWhitespace: true } },
        banner,
      },
    },
  },
})
