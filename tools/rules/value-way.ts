import assert from 'node:assert/strict'
import { readSource } from './source-tree.ts'

/**
 * Step in the path of a chart's value through the source files, which a house rule checks. The file `by` imports a name from the file `of`
 * and uses it in code that matches `uses`. Paths are relative to web/src; a package has its name.
 */
export type Step = { readonly by: string; readonly uses: RegExp; readonly of: string }

/**
 * Returns the list of source files (below web/src, or package names) through which a chart's value passes, in order of the steps, each
 * once. Throws an assertion error when a step does not match the code; then correct the steps.
 */
export function filesOf(way: readonly Step[]): readonly string[] {
  for (const { by, uses, of } of way) {
    const found = uses.exec(withoutImports(by))?.[0] ?? ''
    const loaded = /^import\('([^']+)'\)$/.exec(found)?.[1]
    const [name = ''] = /\w+/.exec(found) ?? []
    const from = loaded === undefined ? importedNames(by).get(name) : resolved(by, loaded)
    assert.equal(from, of, `${by} takes ${uses.source} from ${of}`)
  }
  return [...new Set(way.flatMap(({ by, of }) => [by, of]))]
}

/**
 * Returns a map from each name in the lists `import { … }` of a source file to the path of the file (below web/src) or package that it
 * comes from. `import type`, default and namespace imports are left out; a renamed import has the key `name as other`.
 */
function importedNames(path: string): ReadonlyMap<string, string> {
  const imports = readSource(`web/src/${path}`).matchAll(/import (?!type)\{([^}]*)\} from '([^']+)'/g)
  return new Map(
    [...imports].flatMap(([, names = '', from = '']) => names.split(',').map((name) => [name.trim(), resolved(path, from)] as const)),
  )
}

const resolved = (by: string, from: string): string => (from.startsWith('.') ? new URL(from, `file:///${by}`).pathname.slice(1) : from)

const withoutImports = (path: string): string => readSource(`web/src/${path}`).replaceAll(/^import .*$/gm, '')
