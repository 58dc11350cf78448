import { basename, join } from 'node:path'
import { asciiChunks } from '../tools/ascii-chunks.ts'

/**
 * Regular expression that matches the names of optional modules of the libraries ssh2 and pg, which the bundle of the single executable
 * leaves out.
 */
const optional = /(sshcrypto|cpufeatures)\.node$|^cpu-features$|^pg-native$|^cloudflare:/

/** First line of each bundle of the single executable: it defines `__dirname`, which the CommonJS package ssh2 uses. */
const banner = 'const __filename = process.execPath, __dirname = process.execPath;'

/**
 * Vite plug-in object that replaces `import.meta.url` by the URL of a file in the root folder, which does not exist, and
 * `import.meta.dirname` by `/`. Worker threads run from `data:` addresses, from which Node.js cannot create a `require`.
 */
const fileAddress = {
  name: 'file-address',
  renderChunk: (code: string) => code.replaceAll('import.meta.url', '"file:///vedette"').replaceAll('import.meta.dirname', '"/"'),
}

/**
 * Returns the Vite build options for one script of the single executable: the program itself, or the module of a worker thread. `mode` is
 * the script's path in the repository. Each becomes one file that imports only modules of Node.
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
