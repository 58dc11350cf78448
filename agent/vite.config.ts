/** Parts of ssh2 that are compiled on the machine where it is installed; it goes on without them. */
const optional = /(sshcrypto|cpufeatures)\.node$|^cpu-features$/

/** ssh2's ChaCha20 in WebAssembly is of the time of CommonJS and asks for its folder. */
const banner = '#!/usr/bin/env node\nconst __filename = import.meta.filename, __dirname = import.meta.dirname;'

/** The agent as one file that needs nothing but Node. Libraries inside it are still loaded when first used. */
export default {
  logLevel: 'warn',
  ssr: { noExternal: true, target: 'node' },
  build: {
    ssr: 'src/main.ts',
    outDir: 'dist',
    target: 'node24',
    minify: true,
    // Licence notices of what is bundled.
    license: { fileName: 'licenses.txt' },
    rolldownOptions: {
      external: (id: string) => optional.test(id),
      output: { entryFileNames: 'vedette-agent.mjs', codeSplitting: false, banner },
    },
  },
}
