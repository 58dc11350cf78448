/** Regular expression that matches the module names of the optional native parts of the library ssh2, which works without them. */
const optional = /(sshcrypto|cpufeatures)\.node$|^cpu-features$/

/**
 * First lines of the agent's bundle for Node. They have the start command with a flag for a small young generation, which saves memory, and
 * the CommonJS variable `__dirname`, which the library ssh2 needs.
 */
const banner = '#!/usr/bin/env -S node --max-semi-space-size=1\nconst __filename = import.meta.filename, __dirname = import.meta.dirname;'

/**
 * Regular expression that matches names of Node modules that the bundle loads on first use. The WebSocket library would load them at the
 * start, which costs 1 MB of memory, though plain connections need none.
 */
const SELDOM_USED = /^(?:node:)?(https|tls|zlib)$/
const modulesOnDemand = {
  name: 'modules-on-demand',
  enforce: 'pre',
  resolveId: (id: string) => {
    const [, name] = SELDOM_USED.exec(id) ?? []
    return name === undefined ? null : `\0on-demand-${name}.cjs`
  },
  load: (id: string) => {
    const [, name] = /^\0on-demand-(\w+)\.cjs$/.exec(id) ?? []
    if (name === undefined) return null
    return `module.exports = new Proxy({}, { get: (_, key) => process.getBuiltinModule('node:${name}')[key] })`
  },
} as const

/** Vite build options for the agent on Node: one file without dependencies. Libraries inside it are still loaded on first use. */
const forNode = {
  logLevel: 'warn',
  plugins: [modulesOnDemand],
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

/**
 * Returns the Vite build options for a script on the native runtime, which has only the bare language: one file, which the build of the
 * native program compiles.
 */
const forNative = (entry: string, fileName: string) => ({
  logLevel: 'warn',
  build: {
    ssr: entry,
    outDir: 'native/dist',
    emptyOutDir: false,
    target: 'es2023',
    minify: false,
    rolldownOptions: { output: { entryFileNames: fileName, codeSplitting: false } },
  },
})

const modes: Readonly<Record<string, object>> = {
  native: forNative('src/main-native.ts', 'vedette-agent.js'),
  'test-driver': forNative('test/conformance/native-driver.ts', 'test-driver.js'),
}

/**
 * Returns the Vite build options for a mode: none for the agent on Node, `native` for the native runtime, `test-driver` for the script of
 * the conformance tests.
 */
export default ({ mode }: { readonly mode: string }) => modes[mode] ?? forNode
