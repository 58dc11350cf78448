import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { API } from 'typescript/unstable/sync'
import { createVirtualFileSystem } from 'typescript/unstable/fs'
import { isSource, isTest, readSource, root } from './source-tree.ts'
import { findOutsideNames, type DeclaredName } from './outside-names.ts'

/** Names that the code itself declares, in a type that does not list them. */
const declared: readonly DeclaredName[] = [{ file: 'hub/src/records/model/collection.ts', property: 'name' }]

/** Files that may index a plain object by any text, and the reason. */
const exceptions: ReadonlyMap<string, string> = new Map([
  ['protocol/src/wire/present.ts', 'copies fields that literals in the code name, some hundred times a sample'],
  ['hub/src/platform/db/sqlite/sqlite-connection.ts', 'columns are named by statements in the code, and there are many rows'],
  ['protocol/src/own-value.ts', 'asks first whether the object has the name itself'],
])

const isProduct = (path: string): boolean => /^(protocol|agent|hub|web)\/src\//.test(path) && isSource(path) && !isTest(path)

test('sources never index an object that inherits members by an external name', () => {
  using api = opened(new API({ cwd: root }))
  const found = ['tsconfig.json', 'web/tsconfig.json'].flatMap((config) => {
    const project = api.project(join(root, config))
    const files = project.rootFiles.filter((file) => isProduct(file.slice(root.length + 1)))
    assert.ok(files.length > 100, `${config} has ${files.length} files`)
    return findOutsideNames(project, files, declared)
  })
  const shown = found.map(({ file, line, code }) => ({ file: file.slice(root.length + 1), line, code }))
  assert.deepEqual(
    shown.filter(({ file }) => !exceptions.has(file)).map(({ file, line, code }) => `${file}:${line}: ${code}`),
    [],
  )
  assert.deepEqual(new Set(shown.map(({ file }) => file).filter((file) => exceptions.has(file))), new Set(exceptions.keys()))
})

const refused = [
  'object[name] = 1',
  'object[name] ??= 1',
  'object[name]++',
  'return object[name]',
  'return { a: 1 }[name]',
  'return { a: 1, b: 2 }[name as "a" | "b"]',
  'return object[`${name}`]',
  'return name in object',
  'Object.assign({}, object)',
  'const { [name]: found } = object; return found',
  'for (const one of Object.keys(record)) object[one] = 1',
]

const permitted = [
  'record[name] = 1',
  'record[name] ??= 1',
  'nullRecord<string>()[name] = name',
  'return name in record',
  'Object.assign(record, object)',
  'Object.assign(object, { a: 1 })',
  'list[at] = list[at + 1] ?? 0',
  'return { a: 1, b: 2 }[known]',
  'return object["a"]',
  'object[`${name}.bytes`] = 1',
  'return { ...object, [name]: 1 }',
  'return Object.fromEntries([[name, 1]])',
]

test('the rule refuses every index by an external name, and permits all others', () => {
  const parameters =
    'object: { [name: string]: number }, name: string, at: number, list: number[], known: "a" | "b", record: NullRecord<number>'
  const tried = [...refused, ...permitted].map((body, at) => `export function tried${at}(${parameters}) { ${body} }`)
  const compilerOptions = { strict: true, target: 'es2024', module: 'esnext', moduleResolution: 'bundler', noEmit: true }
  const fs = createVirtualFileSystem({
    '/rule/tried.ts': [`import { nullRecord, type NullRecord } from './null-record.ts'`, ...tried].join('\n'),
    '/rule/null-record.ts': readSource('protocol/src/null-record.ts'),
    '/rule/tsconfig.json': JSON.stringify({ compilerOptions, files: ['tried.ts'] }),
  })
  using api = opened(new API({ cwd: '/rule', fs }))
  const lines = findOutsideNames(api.project('/rule/tsconfig.json'), ['/rule/tried.ts'], declared).map(({ line }) => line)
  assert.deepEqual(
    [...refused, ...permitted].filter((_, at) => lines.includes(at + 2)),
    refused,
  )
})

function opened(api: API) {
  return {
    project(config: string) {
      const project = api.updateSnapshot({ openProjects: [config] }).getProject(config)
      if (project === undefined) throw new Error(`Cannot open ${config}: the compiler knows no such project`)
      return project
    },
    [Symbol.dispose]: () => api.close(),
  }
}
