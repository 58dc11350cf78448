import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'

/** Fills the heap with small blocks of which each 100th stays in use, then returns free memory. Prints resident bytes at each step. */
const program = `
import { loadReturnFreeMemory } from ${JSON.stringify(new URL('free-memory.ts', import.meta.url).href)}
const returnFreeMemory = await loadReturnFreeMemory()
const resident = () => process.memoryUsage.rss()
const empty = resident()
let blocks = Array.from({ length: 60_000 }, (_, index) => new Uint8Array(2000).fill(index))
const kept = blocks.filter((_, index) => index % 100 === 0)
blocks = []
gc()
const freed = resident()
returnFreeMemory?.()
console.log(JSON.stringify({ isThere: returnFreeMemory !== undefined, empty, freed, returned: resident(), kept: kept.length }))
`

test('loadReturnFreeMemory returns the free pages between used blocks to the kernel', async (t) => {
  const args = ['--expose-gc', '--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', program]
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args)
  assert.equal(stderr, '')
  const { isThere, empty, freed, returned } = JSON.parse(stdout) as Record<'empty' | 'freed' | 'returned', number> & { isThere: boolean }
  if (!isThere) return t.skip('this C library has no malloc_trim')
  // 120 MB were filled.
  assert.ok(freed - empty > 60e6, `${freed} bytes after ${empty}: the blocks are no blocks of the C library's heap`)
  assert.ok(returned - empty < (freed - empty) / 2, `${returned} bytes of ${freed} stay, ${empty} at first`)
})
