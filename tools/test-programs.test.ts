import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from './rules/source-tree.ts'
import { suiteOf } from './suites.ts'
import { programFile, shortPrograms } from './test-programs.ts'

test('programs of the short suite run each of its files once', () => {
  const run = shortPrograms().flatMap(({ files }) => files)
  assert.deepEqual(run.toSorted(), suiteOf('short').toSorted())
})

test('a program of several files imports each file, and a program of one file is that file', () => {
  for (const program of shortPrograms()) {
    const path = programFile(program)
    if (program.files.length === 1) assert.equal(path, program.files[0])
    else {
      const imported = [...readFileSync(join(root, path), 'utf8').matchAll(/import\("(.+)"\)/g)].map(([, file]) => file)
      assert.deepEqual(
        imported,
        program.files.map((file) => join(root, file)),
      )
    }
  }
})
