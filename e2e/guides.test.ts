import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { compileWords } from '../tools/dashboard.ts'
import { applyGuide, commandsIn, copyProject, diffsIn, guidePath, guides } from '../tools/guides.ts'
import { readSource, root } from '../tools/rules/source-tree.ts'

describe('guides for contributors', () => {
  let folder = ''

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'vedette-guides-'))
    copyProject(folder)
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  for (const guide of guides) {
    test(`${guide}: its diffs apply to the project after the diffs of the previous guides`, () => {
      assert.ok(diffsIn(readSource(guidePath(guide))).length > 0)
      applyGuide(folder, guide)
    })
  }

  if (process.env['VEDETTE_LONG'] === undefined) return

  const run = (command: string, ...args: readonly string[]): void => {
    const environment = {
      ...process.env,
      PATH: `${join(root, 'node_modules', '.bin')}:${process.env['PATH']}`,
      NODE_TEST_CONTEXT: undefined,
    }
    try {
      execFileSync(command, args, { cwd: folder, env: environment, encoding: 'utf8', stdio: 'pipe' })
    } catch (error) {
      throw new Error(`${command} ${args.join(' ')}\n${(error as { readonly stdout?: string }).stdout}`, { cause: error }) // how execFileSync fails
    }
  }

  test('guides: the compiler reports no error for all examples together', () => {
    run(compileWords[0], ...compileWords.slice(1))
    run('tsc', '--noEmit', '-p', 'tsconfig.json')
    run('tsc', '--noEmit', '-p', 'web/tsconfig.json')
  })

  for (const guide of guides)
    for (const command of commandsIn(readSource(guidePath(guide)))) test(`${guide}: ${command}`, () => run('sh', '-c', command))
})
