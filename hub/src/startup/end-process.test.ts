import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { heldPipe } from '../../test/held-pipe.ts'

const program = (work: string): string => `
  const { endProcess } = await import(${JSON.stringify(join(import.meta.dirname, 'end-process.ts'))})
  const { open, read } = await import('node:fs')
  ${work}
  process.on('message', () => endProcess(3))`

const run = (work: string) =>
  spawn(process.execPath, ['--input-type=module', '--eval', program(work)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })

test('endProcess ends a process with its exit status although a file read is pending', { timeout: 300_000 }, async () => {
  await using pipe = heldPipe()
  const child = run(`open(${JSON.stringify(pipe.path)}, (_, file) => read(file, Buffer.alloc(1), () => {}))`)
  const ended = once(child, 'exit')
  await pipe.isRead
  child.send('end')
  assert.deepEqual(await ended, [3, null])
})

test('endProcess ends a process without pending requests', { timeout: 300_000 }, async () => {
  const child = run('')
  child.send('end')
  assert.deepEqual(await once(child, 'exit'), [3, null])
})
