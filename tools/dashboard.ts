import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './rules/source-tree.ts'
import { run, seconds } from './run.ts'

const stamp = join(root, 'web', 'dist', '.built-from')

/** Builds the dashboard unless what is built was built from exactly these sources. Says what it does; silent when there is nothing to do. */
export async function ensureDashboard(): Promise<void> {
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== fingerprint()) await buildDashboard()
}

export async function buildDashboard(): Promise<void> {
  const startedAtMs = Date.now()
  process.stderr.write('Building the dashboard\n')
  const status = await run('vite', ['build', '--logLevel', 'error'], { cwd: join(root, 'web') })
  if (status !== 0) throw new Error(`Cannot build the dashboard: the build ended with status ${status}`)
  mkdirSync(join(root, 'web', 'dist'), { recursive: true })
  writeFileSync(stamp, fingerprint())
  process.stderr.write(`Built the dashboard in ${seconds(startedAtMs)}\n`)
}

/** Everything the build reads: the dashboard's sources, the protocol's, and what is installed. */
function fingerprint(): string {
  const hash = createHash('sha256')
  const made = (path: string) => /^web\/(dist|node_modules|src\/words)(\/|$)/.test(path)
  const inputs = globSync(['web/**', 'protocol/src/**', 'package-lock.json'], { cwd: root, exclude: made })
  for (const path of inputs.toSorted()) {
    if (statSync(join(root, path)).isFile()) hash.update(path).update(readFileSync(join(root, path)))
  }
  return hash.digest('hex')
}
