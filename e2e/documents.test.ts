import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { writeProgram } from '../tools/build-program.ts'
import { programNamed } from '../tools/installed-programs.ts'
import { readSource, root } from '../tools/rules/source-tree.ts'
import { cacheFolder, startDocumentSession, type DocumentSession } from './document-session.ts'
import { stepsOf } from './document-steps.ts'

/** Timeout of all steps of one page, in ms. */
const PAGE_MS = 300_000

const pages = globSync('docs/operators/*.md', { cwd: root }).toSorted()

// Every command and every request of the documents for operators runs, in order, against a hub of its own page.
describe('documents for operators', { timeout: 600_000, skip: programNamed('curl') === undefined && 'there is no curl here' }, () => {
  const made = new DisposableStack()
  let program = ''
  before(async () => {
    program = join(made.use(cacheFolder()).path, 'vedette')
    await writeProgram({ node: process.execPath, output: program })
  })
  after(() => made.dispose())

  for (const path of pages) {
    const steps = stepsOf(readSource(path), path)
    if (steps.length === 0) continue

    describe(basename(path), { timeout: PAGE_MS }, () => {
      let session: DocumentSession
      before(async () => {
        session = await startDocumentSession(
          program,
          steps.some((step) => step.kind === 'block' && step.mode === 'machine'),
        )
      })
      after(() => session[Symbol.asyncDispose]())

      for (const [index, step] of steps.entries()) {
        if (step.kind === 'instruction') test(`step ${index + 1}, for the test: ${step.text}`, () => session.follow(step.text))
        else {
          const [line = ''] = step.commands.split('\n')
          const name = `step ${index + 1}, ${step.heading}: ${line}`
          test(name, { skip: step.reason === undefined ? false : `${path}, ${step.heading}: ${step.reason}` }, async (t) => {
            const obstacle = session.obstacle(step)
            if (obstacle !== undefined) return t.skip(obstacle)
            await session.run(step)
          })
        }
      }
    })
  }
})
