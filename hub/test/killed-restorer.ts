import childProcess from 'node:child_process'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import pg from 'pg'

/**
 * A process that restores, finishes a restore or takes it back, and kills itself at one of the steps that change something: before it
 * or after it. A removed folder counts as a step for each entry. Arguments: the action, the data directory, the address of the database
 * or '', the number of the step, from 1, or 0 to live; 'before' or 'after'. Says how many steps there were.
 */
const [, , action = '', directory = '', url = '', killAt = '0', moment = 'before'] = process.argv
let steps = 0

function step<T>(work: () => T): T {
  const isLast = ++steps === Number(killAt)
  if (isLast && moment === 'before') process.kill(process.pid, 'SIGKILL')
  const done = work()
  if (isLast && moment === 'after') {
    if (done instanceof Promise) return done.finally(() => process.kill(process.pid, 'SIGKILL')) as T // a promise of the same
    process.kill(process.pid, 'SIGKILL')
  }
  return done
}

const { renameSync, writeFileSync, mkdirSync, rmSync, readdirSync, statSync, existsSync } = fs
fs.renameSync = (...args) => step(() => renameSync(...args))
fs.writeFileSync = (...args) => step(() => writeFileSync(...args))
fs.mkdirSync = (...args: Parameters<typeof mkdirSync>) => step(() => mkdirSync(...args))
fs.rmSync = (path, options) => {
  const folder = String(path)
  if (existsSync(folder) && statSync(folder).isDirectory())
    // The system gives the entries in any order.
    for (const name of moment === 'before' ? readdirSync(folder) : readdirSync(folder).toReversed()) fs.rmSync(join(folder, name), options)
  step(() => rmSync(path, options))
}
const { spawn } = childProcess
childProcess.spawn = ((...args: Parameters<typeof spawn>) => {
  const isLast = ++steps === Number(killAt)
  if (isLast && moment === 'before') process.kill(process.pid, 'SIGKILL')
  const child = spawn(...args)
  if (isLast) child.on('exit', () => process.kill(process.pid, 'SIGKILL'))
  return child
}) as typeof spawn
syncBuiltinESMExports()
const query = Reflect.get(pg.Client.prototype, 'query') as (...args: unknown[]) => unknown // a method
Reflect.set(pg.Client.prototype, 'query', function (this: unknown, ...args: unknown[]) {
  return step(() => Reflect.apply(query, this, args))
})

const { carryOutRestore, finishRestore, rollBackRestore: takeBack } = await import('../src/operations/backups/pending-restore.ts')
const at = url === '' ? undefined : url
if (action === 'restore') await carryOutRestore(directory, at)
if (action === 'finish') await finishRestore(directory, at)
if (action === 'take back') await takeBack(directory, at)
process.stdout.write(`${steps}\n`)
process.exit()
