import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { pathToFileURL } from 'node:url'
import { join } from 'node:path'

const COUNT = 1500
const program = `
  const { freePort } = await import(process.argv[1])
  const ports = []
  for (let at = 0; at < ${COUNT}; at++) ports.push(await freePort())
  console.log(JSON.stringify(ports))
  // Keeps the ports until the other process has chosen its own.
  process.stdin.resume()
`

/** Chooses ports in a process that keeps them until it is ended. */
function choosePorts() {
  const url = pathToFileURL(join(import.meta.dirname, 'free-port.ts')).href
  const child = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program, url])
  const chosen = new Promise<readonly number[]>((resolve) => {
    let said = ''
    child.child.stdout?.on('data', (text: string) => {
      said += text
      if (said.endsWith('\n')) resolve(JSON.parse(said) as readonly number[]) // the list that the program prints
    })
  })
  return { chosen, end: () => child.child.stdin?.end(), ended: child }
}

test('freePort gives no port to two processes', { skip: process.platform !== 'linux' && 'this system reserves no ports' }, async () => {
  const [one, other] = [choosePorts(), choosePorts()]
  const [first, second] = await Promise.all([one.chosen, other.chosen])
  one.end()
  other.end()
  await Promise.all([one.ended, other.ended])
  assert.equal(new Set([...first, ...second]).size, 2 * COUNT)
})
