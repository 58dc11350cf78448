#!/usr/bin/env node
// Starts the executable that npm installed for this machine. It runs with Node.js 18 and later; the executable has its own.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'

const complain = (text) => process.stderr.write(`${text}\n`)

const name = `@vedette-monitor/${process.platform}-${process.arch}`
let program
try {
  program = createRequire(import.meta.url).resolve(`${name}/vedette`)
} catch {
  complain(
    `Vedette has no program for ${process.platform} on ${process.arch}, or npm left out ${name}: install it again without --omit=optional`,
  )
  process.exit(1)
}
const child = spawn(program, process.argv.slice(2), { stdio: 'inherit' })
child.on('error', (error) => {
  complain(`Cannot start ${program}: ${error.message}`)
  process.exit(1)
})
// A signal of the terminal reaches both; the executable decides when it ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('exit', (status, signal) => {
  if (signal === null) process.exit(status ?? 1)
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
})
