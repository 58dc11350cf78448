import assert from 'node:assert/strict'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { listFiles, readSource } from './source-tree.ts'

const ROOT = 'agent/native/src'
const files = new Set(
  listFiles().filter((path) => path.startsWith(`${ROOT}/`) && path.endsWith('.rs') && !/_tests?\.rs$|test_client|fuzz/.test(path)),
)

/** The files that a file imports with `use super::…` or `use crate::…`, outside its own tests. */
function importsOf(path: string): readonly string[] {
  const [product = ''] = readSource(path).split('#[cfg(test)]\nmod tests')
  return [...product.matchAll(/^(?:pub(?:\([a-z]+\))? )?use (super|crate)::([a-z_:]+)/gm)].flatMap(([, base, names = '']) => {
    const folder = base === 'crate' ? ROOT : dirname(path)
    const parts = names.split('::').filter(Boolean)
    // The longest prefix of the path that is a file; the rest is inside that file.
    for (let count = parts.length; count > 0; count--) {
      const file = `${join(folder, ...parts.slice(0, count))}.rs`
      if (files.has(file)) return file === path ? [] : [file]
    }
    return []
  })
}

/** An import cycle through this file; `undefined` if there is none. */
function circle(): readonly string[] | undefined {
  const done = new Set<string>()
  const visit = (path: string, way: readonly string[]): readonly string[] | undefined => {
    if (way.includes(path)) return [...way.slice(way.indexOf(path)), path]
    if (done.has(path)) return undefined
    const found = importsOf(path)
      .map((next) => visit(next, [...way, path]))
      .find((one) => one !== undefined)
    done.add(path)
    return found
  }
  return [...files].map((path) => visit(path, [])).find((one) => one !== undefined)
}

test('files of the native host have no import cycles', () => {
  assert.ok(files.size > 50)
  assert.equal(circle(), undefined)
})
