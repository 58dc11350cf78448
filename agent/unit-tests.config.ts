import { globSync } from 'node:fs'
import { join } from 'node:path'
import { onlyOnNode, unitTestPatterns } from './test/on-native/unit-test-files.ts'

// Bundles the unit tests of agent and protocol into one script for the native host.
const root = join(import.meta.dirname, '..')
const here = (name: string): string => join(import.meta.dirname, 'test', 'on-native', name)

const files = globSync([...unitTestPatterns], { cwd: root })
  .filter((path) => onlyOnNode[path] === undefined)
  .toSorted()

/**
 * Object from the name of a Node module to the source text of the module that replaces it in unit tests on the native runtime. The build
 * fails when a test imports a name that the replacement lacks.
 */
const standIns: Readonly<Record<string, string>> = {
  'node:test': `export { test } from ${JSON.stringify(here('collected-tests.ts'))}`,
  'node:assert/strict': `export { assertions as default } from ${JSON.stringify(here('assertions.ts'))}`,
  'node:fs': `export { readFileSync, readdirSync } from ${JSON.stringify(here('recordings.ts'))}`,
  'node:timers/promises': `export { setImmediate } from ${JSON.stringify(here('turns.ts'))}`,
}

const ENTRY = 'unit-tests'
const entry = [
  `import ${JSON.stringify(here('globals.ts'))}`,
  `import { runUnitTests } from ${JSON.stringify(here('run-unit-tests.ts'))}`,
  'await runUnitTests([',
  ...files.map((path) => `  [${JSON.stringify(path)}, () => import(${JSON.stringify(join(root, path))})],`),
  '])',
].join('\n')

const onNative = {
  name: 'on-native',
  enforce: 'pre',
  resolveId: (id: string, importer?: string) => {
    if (id === 'fast-check' && importer !== here('properties.ts')) return here('properties.ts')
    if (id.endsWith('/runtime/node/byte-tools.ts')) return here('byte-tools.ts')
    return id === ENTRY || standIns[id] !== undefined ? `\0${id}` : null
  },
  load: (id: string) => (id === `\0${ENTRY}` ? entry : (standIns[id.slice(1)] ?? null)),
  /**
   * Vite plug-in function: replaces `import.meta.url` in a test's source text by the URL of the source file. Recordings lie beside the
   * source and not beside the bundle.
   */
  transform: (code: string, id: string) =>
    code.includes('import.meta.url') ? { code: code.replaceAll('import.meta.url', JSON.stringify(`file://${id}`)), map: null } : null,
} as const

export default {
  logLevel: 'warn',
  plugins: [onNative],
  ssr: { noExternal: true },
  build: {
    ssr: true,
    outDir: 'native/dist',
    emptyOutDir: false,
    target: 'es2023',
    minify: false,
    rolldownOptions: { input: ENTRY, output: { entryFileNames: 'unit-tests.js', codeSplitting: false } },
  },
}
