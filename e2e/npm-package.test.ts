import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { VEDETTE_VERSION } from '@vedette/protocol/wire/version'
import { writeProgram } from '../tools/build-program.ts'
import { freePort } from '../tools/free-port.ts'
import { packNpmPackages } from '../tools/npm-packages.ts'
import { scratchFolder } from './programs.ts'

const isLong = process.env['VEDETTE_LONG'] === '1'

test(
  'npm packages, installed in an empty folder: npx vedette starts a hub and an agent, and ends them',
  { timeout: 240_000, skip: !isLong && 'only in the long suite, because npm packs and unpacks 180 MB' },
  async () => {
    using scratch = scratchFolder()
    const program = join(scratch.path, 'vedette')
    await writeProgram({ node: process.execPath, output: program })
    const architecture = process.arch === 'arm64' ? 'arm64' : 'x64'
    const archives = packNpmPackages([{ architecture, path: program }], join(scratch.path, 'archives'))
    const folder = join(scratch.path, 'empty')
    mkdirSync(folder)
    execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', ...archives], { cwd: folder, stdio: 'ignore' })
    const version = spawnSync('npx', ['--offline', 'vedette', '--version'], { cwd: folder, encoding: 'utf8' })
    assert.deepEqual([version.stdout, version.status], [`${VEDETTE_VERSION}\n`, 0])

    const listen = `127.0.0.1:${await freePort()}`
    const started = spawn(join(folder, 'node_modules', '.bin', 'vedette'), ['start', '--listen', listen], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    for await (const line of createInterface({ input: started.stdout })) if (line.includes('create the first admin')) break
    started.stdout.resume()
    assert.equal((await fetch(`http://${listen}/api/health`)).status, 200)
    started.kill('SIGTERM')
    assert.deepEqual(await once(started, 'exit'), [0, null])
    await assert.rejects(fetch(`http://${listen}/api/health`))
  },
)
