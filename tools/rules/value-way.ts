import assert from 'node:assert/strict'
import { readSource } from './source-tree.ts'

/** A call that carries a value on: `by` imports what it uses from `of`. Paths below web/src, or the name of a package's file. */
export type Step = { readonly by: string; readonly uses: RegExp; readonly of: string }

/**
 * The files that a value passes, in the order of its way. Fails where a step is no longer as it is told. A file that comes between two of them
 * takes an import away from `by`, and has to be added to the way.
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

/** Names that a file imports, by the path of their file below web/src. */
function importedNames(path: string): ReadonlyMap<string, string> {
  const imports = readSource(`web/src/${path}`).matchAll(/import (?!type)\{([^}]*)\} from '([^']+)'/g)
  return new Map(
    [...imports].flatMap(([, names = '', from = '']) => names.split(',').map((name) => [name.trim(), resolved(path, from)] as const)),
  )
}

const resolved = (by: string, from: string): string => (from.startsWith('.') ? new URL(from, `file:///${by}`).pathname.slice(1) : from)

const withoutImports = (path: string): string => readSource(`web/src/${path}`).replaceAll(/^import .*$/gm, '')
