import assert from 'node:assert/strict'
import { copyFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { openForeignHub } from '../../../src/operations/transfer/source/open-foreign-hub.ts'
import { isWalDamaged } from '../../../src/operations/transfer/source/wal-check.ts'
import { contentOf, foreignFolder } from './foreign-folder.ts'

const PAGE_BYTES = 4096
const FRAME_BYTES = PAGE_BYTES + 24
const HEADER_BYTES = 32

/** A stopped hub with a WAL of several commits, as a killed one leaves it. `generations`: how often SQLite began the WAL again before. */
function withWal(generations: number) {
  const theirs = foreignFolder()
  const open = new DatabaseSync(theirs.database)
  open.exec('pragma wal_autocheckpoint = 0; create table more (n integer, content text)')
  for (let generation = 0; generation <= generations; generation += 1) {
    // Each generation is shorter, so frames of older ones follow its own.
    for (let n = 0; n < 12 - generation * 4; n += 1) open.prepare('insert into more values (?, ?)').run(n, 'x'.repeat(2000))
    if (generation < generations) open.exec('pragma wal_checkpoint(restart)')
  }
  copyFileSync(theirs.database, `${theirs.database}.kept`)
  copyFileSync(`${theirs.database}-wal`, `${theirs.database}-wal.kept`)
  open.close()
  copyFileSync(`${theirs.database}.kept`, theirs.database)
  const wal = `${theirs.database}-wal`
  const bytes = readFileSync(`${wal}.kept`)
  const frames = Math.floor((bytes.length - HEADER_BYTES) / FRAME_BYTES)
  const salts = bytes.toString('latin1', 16, 24)
  const own = Array.from({ length: frames }, (_, frame) => HEADER_BYTES + frame * FRAME_BYTES).filter(
    (at) => bytes.toString('latin1', at + 8, at + 16) === salts,
  )
  return { theirs, wal, bytes, frames: own, frameCount: frames, [Symbol.dispose]: () => theirs[Symbol.dispose]() }
}

const flipped = (bytes: Buffer, at: number): Buffer => {
  const copy = Buffer.from(bytes)
  copy[at] = (copy[at] ?? 0) ^ 1
  return copy
}

test('isWalDamaged accepts what SQLite wrote, a cut at any place, and frames of older generations', async () => {
  for (const generations of [0, 1, 2]) {
    using scene = withWal(generations)
    const { wal, bytes, frames, frameCount } = scene
    if (generations > 0) assert.ok(frames.length < frameCount)
    writeFileSync(wal, bytes)
    assert.equal(await isWalDamaged(wal), false)
    for (const cut of [
      0,
      1,
      HEADER_BYTES,
      HEADER_BYTES + 10,
      HEADER_BYTES + FRAME_BYTES + 24,
      bytes.length - 1,
      bytes.length - PAGE_BYTES,
    ]) {
      writeFileSync(wal, bytes)
      truncateSync(wal, cut)
      assert.equal(await isWalDamaged(wal), false, `cut at ${cut}`)
    }
  }
})

test('isWalDamaged finds a changed bit in each frame before the last commit, and in the header', async () => {
  for (const generations of [0, 2]) {
    using scene = withWal(generations)
    const { wal, bytes, frames } = scene
    const places = [0, 5, 9, 12, 17, 25, ...frames.slice(0, -1).flatMap((at) => [at + 1, at + 9, at + 17, at + 24, at + 3000])]
    for (const at of places) {
      writeFileSync(wal, flipped(bytes, at))
      assert.equal(await isWalDamaged(wal), true, `changed at ${at}`)
    }
  }
})

test('isWalDamaged finds a changed bit in the last frame when it ends the file', async () => {
  using scene = withWal(0)
  writeFileSync(scene.wal, flipped(scene.bytes, (scene.frames.at(-1) ?? 0) + 2000))
  assert.equal(await isWalDamaged(scene.wal), true)
})

test('openForeignHub refuses a damaged WAL with a sentence, because SQLite would ignore its newest data', async () => {
  using scene = withWal(0)
  const { theirs, wal, bytes, frames } = scene
  writeFileSync(wal, flipped(bytes, (frames[3] ?? 0) + 500))
  const before = contentOf(theirs.path)
  await assert.rejects(openForeignHub(theirs.path, { workplace: join(theirs.data, 'import') }), {
    name: 'TransferRefusedError',
    message: `Cannot import "${theirs.path}": the file data.db-wal is damaged, and its newest data would be lost; give a backup, or start and stop the other hub once, which drops the damaged part`,
  })
  assert.deepEqual(contentOf(theirs.path), before)
  // The whole WAL is read.
  writeFileSync(wal, bytes)
  await using hub = await openForeignHub(theirs.path, { workplace: join(theirs.data, 'import') })
  assert.equal(hub.database.prepare('select count(*) as n from more').get()?.['n'], 12)
})
