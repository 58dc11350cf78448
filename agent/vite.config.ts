/** Parts of ssh2 that are compiled on the machine where it is installed; it goes on without them. */
const optional = /(sshcrypto|cpufeatures)\.node$|^cpu-features$/

/**
 * A small young generation: the agent makes little garbage and is judged by its memory. ssh2's ChaCha20 in WebAssembly is of
 * the time of CommonJS and asks for its folder.
 */
const banner = '#!/usr/bin/env -S node --max-semi-space-size=1\nconst __filename = import.meta.filename, __dirname = import.meta.dirname;'

/**
 * The WebSocket library names `https`, `tls` and `zlib` at its start. A hub at a plain address needs none of them, and they
 * cost a megabyte of memory: inside the bundle they are loaded when something of them is used.
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

/** As one file that needs nothing but Node. Libraries inside it are still loaded when first used. */
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

/** As one script for the native host, which has the bare language and nothing else; its build compiles it. */
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

/** The agent; with `--mode native` for the other host, with `--mode test-driver` the script its conformance tests drive. */
export default ({ mode }: { readonly mode: string }) => modes[mode] ?? forNode
