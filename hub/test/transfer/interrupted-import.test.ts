import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { compiledSources } from '../compiled-sources.ts'
import { foreignDatabase, writeForeignHistory } from './history/foreign-history.ts'
import { contentOf } from './source/foreign-folder.ts'

const program = join(import.meta.dirname, '..', '..', 'src', 'vedette.ts')

/** Starts the real program. */
function startImport(path: string, data: string) {
  const args = [program, 'import', path, '--accept-old', '--data', data]
  return spawn(process.execPath, args, { env: { NODE_NO_WARNINGS: '1', ...compiledSources }, stdio: ['ignore', 'pipe', 'pipe'] })
}

const skip = process.env['VEDETTE_LONG'] === '1' ? false : 'only in the long suite'

test('vedette import stops at SIGINT with a sentence, and continues when it runs again', { timeout: 300_000, skip }, async () => {
  const parent = mkdtempSync(join(tmpdir(), 'vedette-interrupted-'))
  try {
    const [path, data] = [join(parent, 'theirs'), join(parent, 'ours')]
    mkdirSync(path)
    const database = foreignDatabase(join(path, 'data.db'))
    const systems = Array.from({ length: 30 }, (_, index) => `foreign${String(index).padStart(8, '0')}`)
    const { rows } = writeForeignHistory(database, { systems, containers: 2, untilMs: Date.now() })
    database.exec('update systems set users = (select json_array(id) from users limit 1)')
    database.close()
    const before = contentOf(path)

    const stopping = startImport(path, data)
    let said = ''
    stopping.stdout.on('data', (chunk: Buffer) => {
      const wasStopped = /^5 %$/m.test(said)
      said += chunk.toString('utf8')
      if (!wasStopped && /^5 %$/m.test(said)) stopping.kill('SIGINT')
    })
    const [complained] = await Promise.all([text(stopping.stderr), once(stopping, 'close')])
    assert.deepEqual([stopping.exitCode, complained], [1, 'The import was stopped: run it again to continue\n'])
    assert.doesNotMatch(said, /^100 %$/m)
    assert.deepEqual(
      readdirSync(data).filter((name) => name === 'import' || name === 'hub.lock'),
      [],
    )

    const taken: number[] = []
    for (const status of [0, 0]) {
      const again = startImport(path, data)
      const [output] = await Promise.all([text(again.stdout), once(again, 'close')])
      assert.equal(again.exitCode, status)
      const samples = [...output.matchAll(/^(?:samples|averages) of .*?(\d+) +(\d+) +(\d+) +(\d+) +(\d+)$/gm)]
      assert.equal(
        samples.reduce((sum, [, found]) => sum + Number(found), 0),
        rows,
      )
      taken.push(samples.reduce((sum, [, , count]) => sum + Number(count), 0))
    }
    const [second = 0, third = 0] = taken
    assert.ok(second > 0 && second < rows, `${second} of ${rows} rows were left`)
    assert.equal(third, 0)
    assert.deepEqual(contentOf(path), before)
    assert.ok(existsSync(join(data, 'vedette.sqlite')))
  } finally {
    rmSync(parent, { recursive: true, force: true })
  }
})
